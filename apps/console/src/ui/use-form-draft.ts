import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { draftKey, readDraft, removeDraft, writeDraft } from '../browser/drafts.ts';

/** Keeps the values of a form as a draft (browser/drafts.ts). Without a name, nothing is kept. */
export function useFormDraft<Values extends Record<string, unknown>>(
  name: string | undefined,
  form: UseFormReturnType<Values>,
): { restored: boolean; discard: () => void } {
  const key = name === undefined ? null : draftKey(name);
  const [restored, setRestored] = useState(false);
  const { values } = form;
  /** The values that the storage already has. */
  const kept = useRef(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is restored once for each form
  useEffect(() => {
    const draft = readDraft(key, form.getInitialValues());
    if (draft === undefined) return;
    form.setValues(draft);
    setRestored(true);
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what a person enters changes the draft
  useEffect(() => {
    if (values === kept.current) return;
    kept.current = values;
    writeDraft(key, values, form.getInitialValues());
  }, [key, values]);
  const discard = () => {
    removeDraft(key);
    form.reset();
    setRestored(false);
  };
  return { restored, discard };
}
