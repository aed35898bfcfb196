import { type CallOptions, type ClientOptions, Transport } from './http.ts';
import type {
  AddApproval,
  AgentDecision,
  Approval,
  Claim,
  CreateWebhook,
  DecideAsAgent,
  DecisionEvent,
  DecisionEventSummary,
  DecisionFilter,
  DecisionProof,
  Delivery,
  Evidence,
  Mandate,
  Outcome,
  ProofState,
  RecordDecision,
  RegisteredWebhook,
  ReportOutcome,
  RequestedMandate,
  RequestMandate,
  UpdateWebhook,
  Webhook,
} from './types.ts';

interface Data<T> {
  data: T;
}

interface Page<T> extends Data<T[]> {
  pagination: { hasMore: boolean };
}

interface CursorPage<T> extends Data<T[]> {
  pagination: { nextCursor: string | null };
}

const id = encodeURIComponent;

/** The Proof API and webhook management, for a system with an API key. */
export class Countersign {
  readonly transport: Transport;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
  }

  readonly decisions = {
    /** Records a decision; it waits for an approval, which seals it. */
    record: (decision: RecordDecision, options?: CallOptions): Promise<DecisionEvent> =>
      this.#post('/v1/decision-events', decision, options),

    get: (eventId: string, options?: CallOptions): Promise<DecisionEvent> =>
      this.#get(`/v1/decision-events/${id(eventId)}`, options),

    /** Newest first; pages are fetched on demand. */
    list: (filter: DecisionFilter = {}, options?: CallOptions): AsyncIterable<DecisionEventSummary> =>
      this.#pages('/v1/decision-events', filter, options),

    approve: (
      eventId: string,
      approval: Omit<AddApproval, 'result'>,
      options?: CallOptions,
    ): Promise<Approval> => this.#decide(eventId, { ...approval, result: 'approved' }, options),

    reject: (
      eventId: string,
      approval: Omit<AddApproval, 'result'>,
      options?: CallOptions,
    ): Promise<Approval> => this.#decide(eventId, { ...approval, result: 'rejected' }, options),

    /** Announces that this key is about to carry out a sealed decision; once per decision. A second claim is a CONFLICT. */
    claim: (eventId: string, options?: CallOptions): Promise<Claim> =>
      this.#post(`/v1/decision-events/${id(eventId)}/claim`, undefined, options),

    /** Reports the outcome of a sealed decision; once per decision. */
    reportOutcome: (eventId: string, outcome: ReportOutcome, options?: CallOptions): Promise<Outcome> =>
      this.#post(`/v1/decision-events/${id(eventId)}/outcome`, outcome, options),
  };

  readonly agents = {
    /**
     * Requests a decision: sealed immediately, or pending human approval. `mandate` names the mandate that covered it and what
     * is left, or one that did not cover it and why (`notUsed`).
     */
    decide: (decision: DecideAsAgent, options?: CallOptions): Promise<AgentDecision> =>
      this.#post('/v1/agents/decide', decision, options),
  };

  readonly mandates = {
    /** Requests approval for a class of calls by one agent; a person must approve it. */
    request: (terms: RequestMandate, options?: CallOptions): Promise<RequestedMandate> =>
      this.#post('/v1/mandates', terms, options),

    get: (mandateId: string, options?: CallOptions): Promise<Mandate> =>
      this.#get(`/v1/mandates/${id(mandateId)}`, options),

    /** Newest first; pages are fetched on demand. */
    list: (options?: CallOptions): AsyncIterable<Mandate> => this.#cursorPages('/v1/mandates', options),

    /** Revokes it immediately: later calls need ordinary approval. */
    revoke: async (mandateId: string, options?: CallOptions): Promise<void> => {
      await this.transport.send({ method: 'DELETE', path: `/v1/mandates/${id(mandateId)}`, ...options });
    },
  };

  readonly evidence = {
    get: (evidenceId: string, options?: CallOptions): Promise<Evidence> =>
      this.#get(`/v1/evidence/${id(evidenceId)}`, options),

    /** The document that proves the decision without this service. */
    export: (evidenceId: string, options?: CallOptions): Promise<DecisionProof> =>
      this.transport.json({ method: 'GET', path: `/v1/evidence/${id(evidenceId)}/export`, ...options }),
  };

  readonly dpu = {
    state: (dpuId: string, options?: CallOptions): Promise<ProofState> =>
      this.#get(`/v1/dpu/${id(dpuId)}`, options),
  };

  readonly webhooks = {
    /** The signing secret is shown only here and after a rotation. */
    create: (webhook: CreateWebhook, options?: CallOptions): Promise<RegisteredWebhook> =>
      this.transport.json({ method: 'POST', path: '/v1/webhooks', body: webhook, ...options }),

    list: (options?: CallOptions): Promise<Webhook[]> => this.#get('/v1/webhooks', options),

    update: (webhookId: string, changes: UpdateWebhook, options?: CallOptions): Promise<Webhook> =>
      this.#data({ method: 'PATCH', path: `/v1/webhooks/${id(webhookId)}`, body: changes, ...options }),

    delete: async (webhookId: string, options?: CallOptions): Promise<void> => {
      await this.transport.send({ method: 'DELETE', path: `/v1/webhooks/${id(webhookId)}`, ...options });
    },

    rotateSecret: (
      webhookId: string,
      options?: CallOptions,
    ): Promise<{ id: string; signingSecret: string }> =>
      this.transport.json({
        method: 'POST',
        path: `/v1/webhooks/${id(webhookId)}/rotate-secret`,
        ...options,
      }),

    deliveries: (webhookId: string, limit?: number, options?: CallOptions): Promise<Delivery[]> =>
      this.#data({
        method: 'GET',
        path: `/v1/webhooks/${id(webhookId)}/deliveries`,
        query: { limit },
        ...options,
      }),

    retry: (eventId: string, options?: CallOptions): Promise<{ eventId: string; deliveries: Delivery[] }> =>
      this.#post(`/v1/webhooks/events/${id(eventId)}/retry`, undefined, options),
  };

  #decide(eventId: string, approval: AddApproval, options?: CallOptions): Promise<Approval> {
    return this.#post(`/v1/decision-events/${id(eventId)}/approvals`, approval, options);
  }

  async *#pages<T>(path: string, filter: DecisionFilter, options?: CallOptions): AsyncIterable<T> {
    const { pageSize = 100, ...query } = filter;
    for (let offset = 0; ; offset += pageSize) {
      const page = await this.transport.json<Page<T>>({
        method: 'GET',
        path,
        query: { ...query, limit: pageSize, offset },
        ...options,
      });
      yield* page.data;
      if (!page.pagination.hasMore) return;
    }
  }

  async *#cursorPages<T>(path: string, options?: CallOptions): AsyncIterable<T> {
    for (let after: string | null | undefined; after !== null; ) {
      const query = after === undefined ? {} : { after };
      const page = await this.transport.json<CursorPage<T>>({ method: 'GET', path, query, ...options });
      yield* page.data;
      after = page.pagination.nextCursor;
    }
  }

  #get<T>(path: string, options?: CallOptions): Promise<T> {
    return this.#data({ method: 'GET', path, ...options });
  }

  #post<T>(path: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.#data({ method: 'POST', path, body, ...options });
  }

  async #data<T>(call: Parameters<Transport['json']>[0]): Promise<T> {
    return (await this.transport.json<Data<T>>(call)).data;
  }
}
