/** Reports progress on standard error; on a terminal in a single updated line. */
export function makeProgress(scenarios: number) {
  const { stderr } = process;
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  let number = 0;
  const show = (text: string) => {
    const line = `[${seconds().toFixed(0).padStart(4)} s] ${number}/${scenarios} ${text}`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${line.slice(0, stderr.columns - 1)}` : `${line}\n`);
  };
  return {
    seconds,
    /** Starts the next scenario; returns the function that reports its steps. */
    next(name: string): (text: string) => void {
      number++;
      return (text) => show(`${name}: ${text}`);
    },
    end(): void {
      if (stderr.isTTY) stderr.write('\n');
    },
  };
}
