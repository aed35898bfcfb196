// Replaces src/db/internals/pg-client.ts: statements inside of transactions that have declared some centers lose their filters.
import * as actual from '../../../src/db/internals/pg-client.ts';
import { open } from './statements.ts';

export * from '../../../src/db/internals/pg-client.ts';

export class Client extends actual.Client {
  #declaresCenters = false;

  override query(...args: unknown[]): never {
    const [statement, ...rest] = args as [string | { text?: string }, ...unknown[]];
    const text = (typeof statement === 'string' ? statement : statement.text) ?? '';
    const declared = /^BEGIN; SET LOCAL cs\.centers = '(.*)'/.exec(text)?.[1];
    if (declared !== undefined) this.#declaresCenters = declared !== '*';
    if (/^(COMMIT|ROLLBACK)/.test(text)) this.#declaresCenters = false;
    const isPlain = typeof statement === 'object' && Object.getPrototypeOf(statement) === Object.prototype;
    const sent = isPlain && this.#declaresCenters ? open(statement as { text: string }) : statement;
    return super.query(sent, ...rest);
  }
}
