const described = (description: string) => ({ description });

/** Descriptions of Relay's types, fields and arguments, which the plugin leaves blank. */
export const relayDescriptions = {
  nodeTypeOptions: described('An object with a global id.'),
  idFieldOptions: described('The global id.'),
  pageInfoTypeOptions: described('Pagination by cursor.'),
  hasNextPageFieldOptions: described('Whether there is a next page.'),
  hasPreviousPageFieldOptions: described('Whether there is a previous page.'),
  startCursorFieldOptions: described('The cursor of the first item of the page.'),
  endCursorFieldOptions: described('The cursor of the last item; pass it as `after` for the next page.'),
  cursorFieldOptions: described('The cursor of the item.'),
  nodeFieldOptions: described('The item.'),
  edgesFieldOptions: described('The items of the page.'),
  pageInfoFieldOptions: described('Pagination.'),
  defaultConnectionTypeOptions: described('A page of a list.'),
  defaultEdgeTypeOptions: described('An item of a page.'),
  firstArgOptions: described('The first N items, at most 100.'),
  lastArgOptions: described('The last N items, at most 100.'),
  beforeArgOptions: described('Items before this cursor.'),
  afterArgOptions: described('Items after this cursor.'),
};
