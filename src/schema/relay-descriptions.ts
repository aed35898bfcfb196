const say = (description: string) => ({ description });

/** What Relay's own types, fields and arguments are, in words: the plugin leaves them blank. */
export const relayWords = {
  nodeTypeOptions: say('Anything that has an id of its own.'),
  idFieldOptions: say('Names it among everything there is.'),
  pageInfoTypeOptions: say('Where a page lies in its list.'),
  hasNextPageFieldOptions: say('Whether more follows.'),
  hasPreviousPageFieldOptions: say('Whether more comes before.'),
  startCursorFieldOptions: say('The cursor of the first item of the page.'),
  endCursorFieldOptions: say('The cursor of the last item of the page; pass it as `after` to go on.'),
  cursorFieldOptions: say('Where the item stands in the list.'),
  nodeFieldOptions: say('The item itself.'),
  edgesFieldOptions: say('The items of the page.'),
  pageInfoFieldOptions: say('Where the page lies in the list.'),
  defaultConnectionTypeOptions: say('A page of a list.'),
  defaultEdgeTypeOptions: say('An item of a page.'),
  firstArgOptions: say('How many items to give from the front, at most 100.'),
  lastArgOptions: say('How many items to give from the back, at most 100.'),
  beforeArgOptions: say('Give what comes before this cursor.'),
  afterArgOptions: say('Give what comes after this cursor.'),
};
