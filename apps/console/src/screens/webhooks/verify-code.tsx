import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CopyIcon } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './verify-code.module.css';
import { type Language, samples } from './verify-samples.ts';

/** Sample code that verifies the signature of a message. */
export function VerifyCode() {
  const [language, setLanguage] = useState<Language>('Node');
  return (
    <Panel
      title="Check signatures"
      hint="Verify the signature over the raw request body before parsing it."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.keys(samples)}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
      }
    >
      <div className={classes.frame}>
        <span className={classes.copy}>
          <CopyIcon value={samples[language]} label="Copy code" />
        </span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre className={classes.code} tabIndex={0}>
          {samples[language]}
        </pre>
      </div>
    </Panel>
  );
}
