/** Where the progress of an execution is announced. */
export const executionTopic = (executionId: string) => `execution:${executionId}`;
