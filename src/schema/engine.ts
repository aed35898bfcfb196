import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { envelop } from 'graphql-yoga';
import type { RequestContext } from '../api/request-context.ts';
import { compileDocument } from './compile.ts';
import type { TypedDocument } from './document.ts';
import { type OperationPlugin, operationPlugins } from './plugins.ts';

/** One of our documents, validated and compiled once, which can run for any caller. */
export type PreparedDocument<Data, Variables> = (
  variables: Variables,
  context: RequestContext,
) => Promise<Data>;

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/**
 * A query that has read too much fails as a whole: an error for each of its fields would take longer than reading. A mutation
 * has changed something, so its other fields are answered.
 */
function orFailure(args: ExecutionArgs, run: Execute): ReturnType<Execute> {
  const context = args.contextValue as RequestContext;
  if (getOperationAST(args.document, args.operationName)?.operation !== 'query') return run(args);
  return new Promise((resolve, reject) => {
    const never = new Promise<never>(() => {});
    let hasFailed = false;
    context.failWhole = (error) => {
      if (!hasFailed)
        resolve({ data: null, errors: [new GraphQLError(error.message, { originalError: error })] });
      hasFailed = true;
      return never;
    };
    Promise.resolve(run(args)).then(resolve, reject);
  });
}

/** Executes operations for all surfaces, with one list of plugins. Yoga is built from the same list (yoga.ts). */
export interface Engine {
  schema: GraphQLSchema;
  plugins: readonly OperationPlugin[];
  /** The functions that run one operation, with the hooks of all plugins. */
  open(context: RequestContext): ReturnType<ReturnType<typeof envelop>>;
  /** Throws if the document does not match the schema, so an invalid row fails at start. */
  prepare<Data, Variables>(document: TypedDocument<Data, Variables>): PreparedDocument<Data, Variables>;
}

/** Additional plugins follow those of every operation. */
export function makeEngine(schema: GraphQLSchema, more: readonly OperationPlugin[] = []): Engine {
  const plugins = [...operationPlugins(), ...more];
  const compiled = new WeakMap<DocumentNode, CompiledQuery>();
  const base: OperationPlugin = {
    onPluginInit: ({ setSchema }) => setSchema(schema),
    onParse: ({ setParseFn }) => setParseFn(parse),
    onValidate({ setValidationFn, addValidationRule }) {
      setValidationFn(validate);
      // Once a plugin adds a rule, only added rules apply.
      for (const rule of specifiedRules) addValidationRule(rule);
    },
    onExecute: ({ args, setExecuteFn }) => {
      const fast = compiled.get(args.document);
      const run: Execute = fast
        ? ({ contextValue, variableValues }) => fast.query({}, contextValue, variableValues)
        : execute;
      setExecuteFn((call: ExecutionArgs) => orFailure(call, run));
    },
  };
  const open = envelop({ plugins: [base, ...plugins] });

  return {
    schema,
    plugins,
    open,
    prepare<Data, Variables>(document: TypedDocument<Data, Variables>) {
      compiled.set(document, compileDocument(schema, document));
      return async (variables: Variables, context: RequestContext): Promise<Data> => {
        const operation = open(context);
        const result = await operation.execute({
          schema,
          document,
          contextValue: await operation.contextFactory(),
          variableValues: variables,
        });
        const error = result.errors?.[0];
        if (error) throw error instanceof GraphQLError ? error : new GraphQLError(String(error));
        return result.data;
      };
    },
  };
}
