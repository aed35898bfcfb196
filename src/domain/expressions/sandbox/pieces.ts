import { type ConditionScope, type ExpressionScope, evaluate } from '../expression.ts';
import { type EvaluateExpression, renderJson, renderText, stringsIn } from '../template.ts';

/** Something to evaluate: an expression, the condition of a mandate, a template, or JSON with templates in its strings. */
type Piece =
  | { kind: 'expression'; source: string }
  | { kind: 'condition'; source: string }
  | { kind: 'text'; source: string }
  | { kind: 'json'; source: unknown };

export type Pieces<Name extends string = string> = Record<Name, Piece>;
export type Values<Name extends string = string> = Record<Name, unknown>;

export const expression = (source: string): Piece => ({ kind: 'expression', source });
export const text = (source: string): Piece => ({ kind: 'text', source });
export const json = (source: unknown): Piece => ({ kind: 'json', source });

/** Whether nothing needs evaluation because every text is literal. */
export function isLiteral({ kind, source }: Piece): boolean {
  return (
    kind !== 'expression' && kind !== 'condition' && stringsIn(source).every((each) => !each.includes('{{'))
  );
}

export interface RenderRequest {
  pieces: Pieces;
  scope: ExpressionScope | ConditionScope;
}

/** Evaluates all pieces in order. `around` wraps every single expression. */
export function renderPieces(
  { pieces, scope }: RenderRequest,
  around: (run: () => unknown, source: string) => unknown = (run) => run(),
): Values {
  return Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => {
      const use = piece.kind === 'condition' ? 'mandate' : 'workflow';
      const evaluateOne: EvaluateExpression = (source) => around(() => evaluate(source, scope, use), source);
      return [name, renderPiece(piece, evaluateOne)];
    }),
  );
}

function renderPiece({ kind, source }: Piece, evaluateOne: EvaluateExpression): unknown {
  switch (kind) {
    case 'expression':
    case 'condition':
      return evaluateOne(source);
    case 'text':
      return renderText(source, evaluateOne);
    case 'json':
      return renderJson(source, evaluateOne);
  }
}
