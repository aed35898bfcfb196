const say = (description: string) => ({ description });

/** Descriptions of Relay's types, fields and arguments, which the plugin leaves blank. */
export const relayWords = {
  nodeTypeOptions: say('An object with a global id.'),
  idFieldOptions: say('The global id.'),
  pageInfoTypeOptions: say('Pagination by cursor.'),
  hasNextPageFieldOptions: say('Whether there is a next page.'),
  hasPreviousPageFieldOptions: say('Whether there is a previous page.'),
  startCursorFieldOptions: say('The cursor of the first item of the page.'),
  endCursorFieldOptions: say('The cursor of the last item; pass it as `after` for the next page.'),
  cursorFieldOptions: say('The cursor of the item.'),
  nodeFieldOptions: say('The item.'),
  edgesFieldOptions: say('The items of the page.'),
  pageInfoFieldOptions: say('Pagination.'),
  defaultConnectionTypeOptions: say('A page of a list.'),
  defaultEdgeTypeOptions: say('An item of a page.'),
  firstArgOptions: say('The first N items, at most 100.'),
  lastArgOptions: say('The last N items, at most 100.'),
  beforeArgOptions: say('Items before this cursor.'),
  afterArgOptions: say('Items after this cursor.'),
};
