import { OperatorFault } from '../../lib/errors.ts';

export class EmbeddedPostgresError extends OperatorFault {
  override name = 'EmbeddedPostgresError';
}
