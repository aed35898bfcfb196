/** Who approves a membership, as the subject of a sentence. */
export function approverLabel({ kind, name }: { kind: string; name: string }): string {
  switch (kind) {
    case 'CENTER':
      return `An administrator of ${name}`;
    case 'PARTNER':
      return name;
    default:
      return `The operator of ${name}`;
  }
}
