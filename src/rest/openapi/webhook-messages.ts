import { doc } from '../../lib/doc.ts';
import { type EventKindInfo, eventKinds } from '../../schema/events/events.ts';
import { componentRef, type Json, simplifySchema } from './json-schema.ts';

const MESSAGE = 'msg_01k9zq2m0000000000000000m1';
const SIGNATURE = '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd';

function describeMessage({ type, description, example, schema }: EventKindInfo) {
  return {
    operationId: `receive${type.replace(/(?:^|\.)(.)/g, (_, first: string) => first.toUpperCase())}`,
    summary: description,
    description: 'Posted to every webhook that subscribes to this type of event.',
    tags: ['Webhooks'],
    security: [],
    parameters: messageHeaders.map(({ name }) => componentRef('parameters', name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: envelope(type, withExamples(schema, example)),
          example: envelopeExample(type, example),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received, when answered within 5 seconds.' },
      '410': { description: 'Not wanted any more: the webhook is switched off.' },
      '429': { description: 'Too much: Retry-After (seconds or a date) moves the next attempt later.' },
      default: { description: 'Not received: another attempt follows on the schedule.' },
    },
  };
}

const headers: [name: string, text: string, required: boolean, example: string][] = [
  [
    'X-Service-Signature',
    'HMAC-SHA256 of the raw body in hex, keyed with the signing secret.',
    true,
    SIGNATURE,
  ],
  [
    'X-Service-Signature-Previous',
    'The same with the secret before the last rotation, for 24 hours.',
    false,
    SIGNATURE,
  ],
  ['X-Service-Event-Id', 'The id of the event, for de-duplication.', true, MESSAGE],
  ['X-Service-Delivery-Attempt', 'The number of the attempt, from 1.', true, '1'],
  ['X-Service-Timestamp', 'When this attempt was sent, ISO 8601 in UTC.', true, '2026-11-15T09:30:00.000Z'],
  ['webhook-id', 'The id of the event, as Standard Webhooks names it.', true, MESSAGE],
  ['webhook-timestamp', 'When this attempt was sent, in Unix seconds.', true, '1794735000'],
  [
    'webhook-signature',
    'Signatures as Standard Webhooks makes them, separated by spaces.',
    true,
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
];

/** The headers of a message, the same for every event type. */
export const messageHeaders = headers.map(([name, description, required, example]) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
}));

/** Each property with its example value. */
function withExamples(schema: Json, example: unknown) {
  const properties = Object.entries(schema['properties'] as Record<string, object>).map(
    ([name, property]) => [name, { ...property, examples: [(example as Json)[name]] }],
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function envelope(type: string, data: Json): Json {
  const schema = structuredClone({
    type: 'object',
    required: ['id', 'type', 'createdAt', 'data', 'deliveryAttempt'],
    properties: {
      id: { type: 'string', ...doc('The id of the message: the same for every attempt.', MESSAGE) },
      type: { type: 'string', const: type, description: 'What happened; decides the shape of `data`.' },
      createdAt: { type: 'string', format: 'date-time', description: 'When the event happened, in UTC.' },
      data: { ...data, description: 'What the event is about: its members depend on `type`.' },
      deliveryAttempt: { type: 'integer', minimum: 1, ...doc('The number of the attempt, from 1.', 1) },
    },
  });
  simplifySchema(schema, true);
  return schema;
}

function envelopeExample(type: string, data: unknown) {
  return { id: MESSAGE, type, createdAt: '2026-11-15T09:30:00.000Z', data, deliveryAttempt: 1 };
}

/** The messages that subscribers receive, as the `webhooks` of the OpenAPI document. */
export const webhookMessages = Object.fromEntries(
  eventKinds.map((kind) => [kind.type, { post: describeMessage(kind) }]),
);
