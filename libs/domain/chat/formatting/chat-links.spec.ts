import { Types } from 'mongoose';
import { getEventUrl, getMessagesUrl } from './chat-links';

const id = new Types.ObjectId('6740a1b2c3d4e5f607182930');
const bare = { campaignId: null, mailboxId: null, data: {} };

it.each([
  ['email.positive_reply', { campaignId: id, data: { conversationId: String(id) } }, `inbox/${String(id)}`],
  ['email.bounced', { campaignId: id, mailboxId: id }, `campaigns/${String(id)}`],
  ['mailbox.disconnected', { mailboxId: id }, `mailboxes/${String(id)}`],
  ['blacklist.completed', { data: { testId: String(id) } }, `blacklist-tests/${String(id)}`],
  ['enrichment.completed', { data: { jobId: 'ev_1_a' } }, 'enrichment/jobs/ev_1_a'],
  ['webhook.disabled', { data: { webhookId: String(id) } }, `webhooks/${String(id)}`],
  ['crm.sync_completed', { data: { jobId: String(id) } }, `integrations/crm/jobs/${String(id)}`],
  ['agent.trained', { data: { agentId: String(id) } }, `agents/${String(id)}`],
] as const)('links %s to its page', (type, event, path) => {
  expect(getEventUrl({ type, ...bare, ...event }, 'https://o.example/')).toBe(`https://o.example/v1/${path}`);
});

it.each([
  ['what was deleted', { type: 'mailbox.deleted', mailboxId: id }],
  ['what belongs to nothing', { type: 'integration.disconnected' }],
  ['what is no id', { type: 'agent.trained', data: { agentId: '../../x?' } }],
] as const)('creates no link for %s', (_name, event) => {
  expect(getEventUrl({ ...bare, ...event }, 'https://o.example')).toBeNull();
});

it('links to the list of messages', () => {
  expect(getMessagesUrl('https://o.example/')).toBe('https://o.example/v1/integrations/slack/messages');
});
