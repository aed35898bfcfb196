import { graphql, isObject, type Json, type JsonObject, type ResultOf } from '../../graphql/graphql.ts';

export const Workflows = graphql(`
  query Workflows {
    workflows(first: 100) {
      edges {
        node { id name description type status version cron timezone eventPattern lastRun nextRunAt }
      }
    }
  }
`);

export type Workflow = ResultOf<typeof Workflows>['workflows']['edges'][number]['node'];

export const OneWorkflow = graphql(`
  query OneWorkflow($id: ID!) {
    workflow(id: $id) {
      id
      name
      description
      type
      status
      version
      cron
      timezone
      eventPattern
      nextRuns
      versions(first: 20) { edges { node { version steps parametersSchema createdAt } } }
    }
  }
`);

export type WholeWorkflow = NonNullable<ResultOf<typeof OneWorkflow>['workflow']>;
export type Version = WholeWorkflow['versions']['edges'][number]['node'];

export const Executions = graphql(`
  query Executions(
    $first: Int, $last: Int, $after: String, $before: String, $workflowId: ID, $status: ExecutionStatus
  ) {
    workflowExecutions(
      first: $first, last: $last, after: $after, before: $before, workflowId: $workflowId, status: $status
    ) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node { id status version startedBy error startedAt completedAt workflow { id name } }
      }
    }
  }
`);

export type ExecutionRow = ResultOf<typeof Executions>['workflowExecutions']['edges'][number]['node'];

export const CreateWorkflow = graphql(`
  mutation CreateWorkflow($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }
`);
export const UpdateWorkflow = graphql(`
  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { id version } }
`);
export const CheckWorkflow = graphql(`
  query CheckWorkflow($definition: JSON!) {
    checkWorkflow(definition: $definition) { faults { path message } nextRuns }
  }
`);
export const Vocabulary = graphql(`
  query Vocabulary {
    eventCatalogue { type example }
    workflowNames {
      values { name description }
      outputs { kind members { name description } }
    }
  }
`);
export const DryRun = graphql(`
  query DryRun($definition: JSON!, $parameters: JSON, $event: JSON, $outputs: JSON) {
    dryRunWorkflow(definition: $definition, parameters: $parameters, event: $event, outputs: $outputs) {
      path name kind status input output assumed error
    }
  }
`);
export const RunWorkflow = graphql(`
  mutation RunWorkflow($input: ExecuteWorkflowInput!) { executeWorkflow(input: $input) { id } }
`);
export const PauseWorkflow = graphql(`
  mutation PauseWorkflow($input: WorkflowIdInput!) { pauseWorkflow(input: $input) { id status } }
`);
export const ResumeWorkflow = graphql(`
  mutation ResumeWorkflow($input: WorkflowIdInput!) { resumeWorkflow(input: $input) { id status } }
`);
export const DeleteWorkflow = graphql(`
  mutation DeleteWorkflow($input: WorkflowIdInput!) { deleteWorkflow(input: $input) { id } }
`);

/** A step as stored: its name, its kind, and the fields of the kind. */
export type StepDraft = JsonObject;

export const stepsIn = (steps: Json): StepDraft[] => (Array.isArray(steps) ? steps.filter(isObject) : []);

/** The value at `action.type`. */
export const valueAt = (step: StepDraft, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), step);

/** A copy of the step with another value there; undefined removes the member, and objects that become empty. */
export function withValueAt(step: StepDraft, path: string, value: Json | undefined): StepDraft {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const { [name]: before, ...others } = step;
  if (rest.length === 0) return value === undefined ? others : { ...step, [name]: value };
  const after = withValueAt(isObject(before) ? before : {}, rest.join('.'), value);
  return Object.keys(after).length === 0 ? others : { ...step, [name]: after };
}

/** A value that a run asks for. */
export interface Parameter {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  title: string;
  required: boolean;
  choices: string[];
  start: Json;
}

export function parametersIn(schema: Json): Parameter[] {
  if (!isObject(schema)) return [];
  const { properties, required } = schema as { properties?: Record<string, StepDraft>; required?: string[] };
  return Object.entries(properties ?? {}).map(([name, about]) => ({
    name,
    type: about['type'] as Parameter['type'],
    title: typeof about['title'] === 'string' ? about['title'] : name,
    required: required?.includes(name) ?? false,
    choices: Array.isArray(about['enum']) ? about['enum'].map(String) : [],
    start: about['default'] ?? null,
  }));
}
