// An agent with a gated tool: it requests approval before it pays, waits for a person if necessary, pays once, and reports the outcome.
//   COUNTERSIGN_URL=http://localhost:4000 COUNTERSIGN_API_KEY=csk_… node agent.mjs ORDER AMOUNT
import { CallDenied, Countersign, gate } from '@countersign/client';

const [orderId = '1042', amount = '4900'] = process.argv.slice(2);
const client = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? 'http://localhost:4000',
  apiKey: process.env.COUNTERSIGN_API_KEY,
});

// The tool. Behind the gate it runs only with the approved arguments.
const pay = gate(
  {
    client,
    agent: { id: 'refund-agent', name: 'Refund agent' },
    actionType: 'refund.grant',
    describe: ({ orderId, amount }) => `Refund ${amount} cents of order ${orderId}`,
    risk: ({ amount }) => Math.min(amount / 5_000, 1),
    expiresInSeconds: 600,
    pollInterval: 500,
  },
  async ({ orderId, amount }) => ({ refundId: `re_${orderId}`, refunded: amount }),
);

try {
  const call = { orderId, amount: Number(amount) };
  // One key per refund: a second run of this program finds the same decision and does not pay twice.
  console.log('paid:', JSON.stringify(await pay(call, { idempotencyKey: `refund-${orderId}` })));
} catch (error) {
  if (!(error instanceof CallDenied)) throw error;
  console.log(`not paid: ${error.message} (${error.eventId})`);
  process.exitCode = 1;
}
