import type { ProofVerdict, Step } from '@countersign/proof-kit/verify-steps';
import { enteredKey } from './check.ts';
import { headlineOf } from './headline.ts';

const STEP_WORDS = { pass: 'Passed', fail: 'Failed', absent: 'Not fully checked' } as const;
const PAUSE_MS = 140;

/** An element with text; text from documents never becomes HTML. */
export function element(name: string, text = '', className = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function shownStep(step: Step): Step {
  // The reader has entered no key: the page trusts the one that its service publishes.
  if (step.step === 'signature' && enteredKey() === null) {
    return {
      ...step,
      explanation: step.explanation.replace('a key you trust', 'a key that this service publishes'),
    };
  }
  return step;
}

function stepItem(step: Step): HTMLElement {
  const { title, verdict, explanation } = shownStep(step);
  const item = element('li');
  item.dataset['verdict'] = verdict;
  const heading = element('h3', title);
  heading.append(' ', element('span', STEP_WORDS[verdict], 'outcome'));
  item.append(heading, element('p', explanation));
  return item;
}

function showHeadline(box: HTMLElement, verdict: ProofVerdict): void {
  const { state, title, text, lists = [] } = headlineOf(verdict, enteredKey() !== null);
  box.dataset['state'] = state;
  box.dataset['verdict'] = verdict.verdict;
  box.replaceChildren(
    element('h2', title),
    ...text.map((each) => element('p', each)),
    ...lists.flatMap(({ title: heading, lines }) => {
      const list = element('ul');
      list.append(...lines.map((line) => element('li', line)));
      return [element('p', `${heading}:`), list];
    }),
    element('p', `Verdict of the verifier: ${verdict.verdict}.`, 'muted'),
  );
}

const pause = () =>
  matchMedia('(prefers-reduced-motion: reduce)').matches
    ? Promise.resolve()
    : new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Shows the steps one after the other, then the verdict, which is also announced to screen readers. Stops when another file is
 * chosen, so a verdict never appears under the name of another file.
 */
export async function showVerdict(
  box: HTMLElement,
  list: HTMLElement,
  verdict: ProofVerdict,
  isCurrent: () => boolean = () => true,
): Promise<void> {
  list.replaceChildren();
  for (const step of verdict.steps) {
    list.append(stepItem(step));
    await pause();
    if (!isCurrent()) return;
  }
  showHeadline(box, verdict);
}
