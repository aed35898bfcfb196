import { OperatorFault } from '../../lib/operator-fault.ts';

export class EmbeddedPostgresError extends OperatorFault {
  override name = 'EmbeddedPostgresError';
}
