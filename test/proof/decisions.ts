/** A valid decision; tests change the part they are about. */
export const decision = {
  type: 'agent_execution',
  actor: { id: 'refund-agent', type: 'ai_agent', name: 'Refund agent' },
  action: {
    type: 'refund.grant',
    description: 'Refund an order',
    input: { orderId: 'A-17', amount: 49.9 },
    output: { granted: true },
  },
  aiContext: { model: 'm-1', provider: 'example', confidence: 0.93, reasoning: 'Within 14 days.' },
  tags: ['refund', 'vip'],
};

export const bare = {
  type: 'custom',
  actor: { id: 'cron', type: 'system' },
  action: { type: 'cleanup' },
};
