// A webhook receiver on Node's own server: it accepts genuine, recent and new messages and rejects everything else.
//   WEBHOOK_SECRET=whsec_… PORT=8080 node webhook-receiver.mjs
import { createServer } from 'node:http';
import { WebhookRefused, webhooks } from '@countersign/client';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that registering the webhook showed.');

// Deliveries can arrive twice. Store the ids together with your own data; a set is enough for a single process.
const seen = new Set();
const remember = (id) => !seen.has(id) && Boolean(seen.add(id));

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  try {
    // The signature covers the raw bytes: verify before parsing.
    const body = await bodyOf(request);
    const message = await webhooks.verify({ body, headers: request.headers, secret, remember });
    console.log(`${message.type} ${message.id}`);
    response.writeHead(204).end();
  } catch (error) {
    const refused = error instanceof WebhookRefused;
    if (refused) console.log(`refused: ${error.message}`);
    else console.error(error);
    response.writeHead(refused ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`listening on ${server.address().port}`));
