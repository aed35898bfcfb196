/** Something that a policy would do and that its author may not want. It can be saved all the same. */
export interface PolicyWarning {
  /** The field of the input, such as `guards.quorum.0`. */
  path: string;
  level: 'warning' | 'hint';
  message: string;
}

export const warning = (path: string, message: string): PolicyWarning => ({
  path,
  level: 'warning',
  message,
});
export const hint = (path: string, message: string): PolicyWarning => ({ path, level: 'hint', message });
