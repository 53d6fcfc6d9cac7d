import { Types } from 'mongoose';
import { inScope, type WithholdScope } from './withhold-scope';

const ids = { campaignId: new Types.ObjectId(), leadId: new Types.ObjectId(), mailboxId: new Types.ObjectId() };
const send = { ...ids, email: 'bob@eu.lead.test' };
const campaignId = ids.campaignId.toHexString();
const leadId = ids.leadId.toHexString();
const other = new Types.ObjectId().toHexString();

it.each<[string, WithholdScope, boolean]>([
  ['everything', {}, true],
  ['its campaign', { campaignId }, true],
  ['another campaign', { campaignId: other }, false],
  ['its mailbox', { mailboxId: ids.mailboxId.toHexString() }, true],
  ['another mailbox', { mailboxId: other }, false],
  ['its lead among others', { leadIds: [other, leadId] }, true],
  ['other leads', { leadIds: [other] }, false],
  ['no lead', { leadIds: [] }, false],
  ['its lead in another campaign', { leadIds: [leadId], campaignId: other }, false],
  ['its address', { emails: ['bob@eu.lead.test'] }, true],
  ['another address', { emails: ['eve@eu.lead.test'] }, false],
  ['its domain', { domains: ['eu.lead.test'] }, true],
  ['the parent domain', { domains: ['lead.test'] }, true],
  ['a domain that is only a text suffix', { domains: ['ad.test'] }, false],
  ['another address or its domain', { emails: ['eve@eu.lead.test'], domains: ['lead.test'] }, true],
  ['no address and no domain', { emails: [], domains: [] }, false],
])('compares a send with %s', (_what, scope, expected) => {
  expect(inScope(scope)(send)).toBe(expected);
});
