/** Where new and sealed decision events of a center are announced; `ids` holds one or more, separated by commas. */
export const decisionsTopic = (centerId: number) => `decisions:${centerId}`;
