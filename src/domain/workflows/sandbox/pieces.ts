import { type ExpressionScope, evaluate } from '../expressions/expression.ts';
import { type EvaluateExpression, renderJson, renderText, stringsIn } from '../expressions/template.ts';

/** Something to be worked out: an expression, a text with expressions in it, or JSON with such texts in it. */
export type Piece =
  | { kind: 'expression'; source: string }
  | { kind: 'text'; source: string }
  | { kind: 'json'; source: unknown };

export type Pieces<Name extends string = string> = Record<Name, Piece>;
export type Values<Name extends string = string> = Record<Name, unknown>;

export const expression = (source: string): Piece => ({ kind: 'expression', source });
export const text = (source: string): Piece => ({ kind: 'text', source });
export const json = (source: unknown): Piece => ({ kind: 'json', source });

/** Whether nothing has to be worked out: every text stands for itself. */
export function isLiteral({ kind, source }: Piece): boolean {
  return kind !== 'expression' && stringsIn(source).every((each) => !each.includes('{{'));
}

export interface RenderRequest {
  pieces: Pieces;
  scope: ExpressionScope;
}

/** Works all pieces out, one after the other; `around` sees every single expression. */
export function renderPieces(
  { pieces, scope }: RenderRequest,
  around: (run: () => unknown, source: string) => unknown = (run) => run(),
): Values {
  const evaluateOne: EvaluateExpression = (source) => around(() => evaluate(source, scope), source);
  return Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => [name, renderPiece(piece, evaluateOne)]),
  );
}

function renderPiece({ kind, source }: Piece, evaluateOne: EvaluateExpression): unknown {
  switch (kind) {
    case 'expression':
      return evaluateOne(source);
    case 'text':
      return renderText(source, evaluateOne);
    case 'json':
      return renderJson(source, evaluateOne);
  }
}
