import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { RequestCache } from '@pothos/plugin-scope-auth';
import { type DocumentNode, getOperationAST, Kind, type ParseOptions, parse, type Source } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { isTracing, traced } from '../lib/tracing.ts';
import { admission } from './admission.ts';
import { queryLimits } from './query-limits.ts';
import { chooseReads } from './replica-reads.ts';
import { endWithPermission } from './subscription-guard.ts';

type OperationHook =
  | 'onPluginInit'
  | 'onEnveloped'
  | 'onParse'
  | 'onValidate'
  | 'onContextBuilding'
  | 'onExecute'
  | 'onSubscribe';

/**
 * A plugin that sees every operation, whichever handler runs it. The type has no HTTP hooks: only Yoga calls those, so a
 * plugin that relied on one could be bypassed.
 */
export type OperationPlugin = Pick<Plugin, OperationHook>;

/** Stops a document with too many tokens before it is parsed any further. */
const limitTokens: OperationPlugin = {
  onParse: ({ setParseFn }) =>
    setParseFn((source: string, options?: ParseOptions) =>
      parse(source, { ...options, maxTokens: queryLimits.tokens }),
    ),
};

const limitAliases = maxAliasesPlugin({
  n: queryLimits.aliases,
  exposeLimits: false,
  errorMessage: 'The query is too large: it uses too many aliases.',
}) as OperationPlugin;

const CACHED_CHARACTERS = 4_000_000;

/** Parses and validates each text once. Must come after the plugins that add validation rules. */
function cacheDocuments(): OperationPlugin {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
  });
  const faults = new WeakMap<DocumentNode, readonly Error[]>();
  return {
    onParse({ params, setParsedDocument }) {
      const text = textOf(params.source);
      const known = documents.get(text);
      if (known) return void setParsedDocument(known);
      return ({ result }) => {
        if (result && !(result instanceof Error)) documents.set(text, result as DocumentNode);
      };
    },
    onValidate({ params: { documentAST }, setResult }) {
      const known = faults.get(documentAST);
      if (known) return void setResult(known);
      return ({ result }) => void faults.set(documentAST, result);
    },
  };
}

const textOf = (source: string | Source) => (typeof source === 'string' ? source : source.body);

/** Records each execution as a span, if a collector is configured. */
const trace: OperationPlugin = {
  onExecute({ executeFn, setExecuteFn }) {
    if (!isTracing()) return;
    setExecuteFn((args) =>
      traced(
        () => ({ name: `graphql ${operationName(args.document, args.operationName)}`, kind: 'internal' }),
        async () => executeFn(args),
      ),
    );
  },
};

/** The name of an operation, or of its first field if it has none. */
function operationName(document: DocumentNode, name?: string | null): string {
  const operation = getOperationAST(document, name);
  const [first] = operation?.selectionSet.selections ?? [];
  return operation?.name?.value ?? (first?.kind === Kind.FIELD ? first.name.value : 'operation');
}

/**
 * Frees the cache of the authorization plugin: a WeakMap from the context of a call to an object that refers to this
 * context, which only a full garbage collection can free otherwise.
 */
const freeScopeCache: OperationPlugin = {
  onExecute: () => ({
    onExecuteDone: ({ args }) => RequestCache.clearForContext(args.contextValue as object),
  }),
};

/** The plugins of all operations: plain posts, Yoga, REST rows and MCP tools. */
export function operationPlugins(): readonly OperationPlugin[] {
  return [
    limitAliases,
    limitTokens,
    cacheDocuments(),
    endWithPermission,
    admission,
    chooseReads,
    trace,
    freeScopeCache,
  ];
}
