import { wellKept } from '../../libs/domain/deliverability/testing';
import { seededMailbox } from '../mailboxes/sandbox';
import { type ContractFixture } from './contract-fixture';
import { STORED_PASSWORD, AT } from './subject-values';

/** A mailbox with warmup, checks and problems; one as connected; and one of a hosted provider. */
export async function makeMailboxes(fixture: ContractFixture): Promise<string[]> {
  const { platform, workspace, dns, inboxes } = fixture;
  const { _id, email } = await seededMailbox(platform, workspace.workspaceId, STORED_PASSWORD);
  dns.zone.change(wellKept(email.slice(email.indexOf('@') + 1)));
  const api = platform.api.as(workspace.key);
  await api.post(`/v1/mailboxes/${_id}/health/check`).expect(200);
  await api.post(`/v1/warmup/${_id}/start`).expect(200);
  const lastError = { code: '421', command: 'EHLO', response: '421 later', message: 'The server is busy', at: AT };
  const state = { lastError, 'warmup.metrics': { inboxRate: 0.9, lastCalculatedAt: AT }, tags: ['sales'] };
  await fixture.put('MailboxRecord', { _id }, state);
  const other = await seededMailbox(platform, workspace.workspaceId, STORED_PASSWORD);
  const hosted = await inboxes.connect('google');
  return [_id, other._id, hosted.mailboxId];
}

/** @returns the conversation with an attachment */
export async function makeAttachment({ inboxes }: ContractFixture): Promise<string> {
  const mailbox = await inboxes.connect('google');
  const files = [{ name: 'offer.pdf', content: Buffer.from('%PDF-1.7 \u0000\u0001 end') }];
  return (await inboxes.answered(mailbox, 'bob@acme.test', { files }))._id;
}
