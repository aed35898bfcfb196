/** Something the person who starts the service has to know or to put right: each line of its message is a complete one. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}
