import type { ExecutionResult, GraphQLError } from 'graphql';
import { isSmall, largeJson } from '../api/answer-size.ts';
import type { RequestContext } from '../api/request-context.ts';

/** Yoga serializes a result with its `stringify`, if it has one. */
type SerializedResult = ExecutionResult & { stringify?: (result: ExecutionResult) => string };

/** Large data as text, serialized without blocking the process, for Yoga; or the error that it is too large. */
export async function serialized(
  ctx: RequestContext,
  result: ExecutionResult,
  toGraphQLError: (error: unknown) => GraphQLError,
): Promise<SerializedResult> {
  if (isSmall(result.data)) return result;
  try {
    const data = Buffer.concat(await largeJson(ctx, result.data)).toString();
    const stringify = ({ errors }: ExecutionResult) =>
      `{${errors ? `"errors":${JSON.stringify(errors)},` : ''}"data":${data}}`;
    return { ...result, stringify };
  } catch (error) {
    return { errors: [toGraphQLError(error)] };
  }
}
