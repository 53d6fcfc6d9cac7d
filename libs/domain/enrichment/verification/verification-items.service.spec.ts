import { OutboundAddressService } from '@platform/outbound';
import { FakeClock } from '@testing';
import { Types } from 'mongoose';
import { ZoneDnsDriver } from '../../../adapters/dns/testing';
import { FakeProbeDriver } from '../../../adapters/probe/testing';
import { type EnrichmentJobRef, type WorkItem } from '../item-handlers/item-handler';
import { MailDomainsService } from './domain/mail-domains.service';
import { VerificationItemsService } from './verification-items.service';
import { EmailVerificationService } from './email-verification.service';

/** `verify` charges no credits. */
const NO_CREDITS = {} as never;

const JOB: EnrichmentJobRef = {
  _id: new Types.ObjectId(),
  workspaceId: new Types.ObjectId(),
  code: 'ev_1',
  type: 'email_verification',
  campaignId: null,
  expiresAt: new Date('2026-11-29T10:00:00Z'),
};
const open = new AbortController().signal;

const NOW = new Date('2026-11-22T10:00:00Z');

function item(email: string, attempts = 0, createdAt = NOW): WorkItem {
  const { _id: jobId, workspaceId } = JOB;
  return { _id: new Types.ObjectId(), workspaceId, jobId, email, leadId: null, attempts, createdAt };
}

function start() {
  const clock = new FakeClock();
  clock.freeze(NOW);
  const dns = new ZoneDnsDriver({
    'firm.example': { MX: [{ exchange: 'mx.firm.example', priority: 1 }] },
    'mx.firm.example': { A: ['8.8.4.4'] },
  });
  const probe = new FakeProbeDriver();
  const domains = new MailDomainsService(dns, new OutboundAddressService({ allowPrivate: false }), clock);
  const error = jest.fn();
  const work = new VerificationItemsService(new EmailVerificationService(domains, probe, NO_CREDITS, clock), clock, {
    error,
  } as never);
  return { clock, dns, probe, error, work };
}

it('is the work of jobs that verify addresses', () => {
  const { work } = start();
  expect(work.type).toBe('email_verification');
  expect(work.prefix).toBe('ev');
});

it('returns an outcome for each item, and postpones those that may get an answer later', async () => {
  const { clock, probe, work } = start();
  probe.says('ada@firm.example', { kind: 'accepted' });
  probe.says('grey@firm.example', { kind: 'greylisted' });
  probe.says('shy@firm.example', { kind: 'refused_us' });
  const items = ['Ada@firm.example', 'no address', 'grey@firm.example', 'shy@firm.example'].map((email) => item(email));
  const outcomes = await work.run(items, JOB, open);
  const [valid, invalid, grey, shy] = items.map(({ _id }) => outcomes.get(_id.toHexString()));
  expect(valid).toEqual({
    kind: 'done',
    result: 'valid',
    reasons: ['accepted'],
    isDecisive: true,
    detail: {
      address: 'ada@firm.example',
      isDisposable: false,
      isRole: false,
      isFree: false,
      mxHost: 'mx.firm.example',
      suggestion: null,
    },
    checkedAt: clock.now(),
  });
  expect(invalid).toMatchObject({ kind: 'done', result: 'invalid', isDecisive: true });
  expect(grey).toEqual({ kind: 'later', at: clock.in(300_000), reason: 'greylisted' });
  expect(shy).toMatchObject({ kind: 'done', result: 'unknown', reasons: ['refused_us'], isDecisive: false });
});

it('postpones an item for longer each time', async () => {
  const { clock, probe, work } = start();
  probe.says('grey@firm.example', { kind: 'greylisted' });
  const third = item('grey@firm.example', 2);
  const outcomes = await work.run([third], JOB, open);
  expect(outcomes.get(third._id.toHexString())).toMatchObject({ kind: 'later', at: clock.in(1_200_000) });
});

it('returns the finished outcomes on abort, and omits the others', async () => {
  const { probe, work } = start();
  probe.says('slow@firm.example', 'silence');
  const [slow, quick] = [item('slow@firm.example'), item('no address')];
  const stop = new AbortController();
  const working = work.run([slow, quick], JOB, stop.signal);
  stop.abort(new Error('enough'));
  expect([...(await working).keys()]).toEqual([quick._id.toHexString()]);
});

it('keeps the outcomes of other addresses when one fails', async () => {
  const { probe, error, work } = start();
  jest.spyOn(probe, 'ask').mockRejectedValueOnce(new TypeError('a mistake of ours'));
  const all = ['ada@firm.example', 'no address', 'bob@firm.example'].map((email) => item(email));
  const outcomes = await work.run(all, JOB, open);
  expect([...outcomes.keys()].toSorted()).toEqual([all[1], all[2]].map((each) => each!._id.toHexString()));
  expect(error).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(error.mock.calls)).not.toContain('ada@');
});

it.each([
  ['within a day', NOW, { kind: 'put_back' }],
  ['later', new Date(NOW.getTime() - 24 * 3_600_000), { kind: 'later', reason: 'server_busy' }],
])('counts no attempt for an address that waits for a slot of its provider, %s', async (_when, createdAt, expected) => {
  const { clock, probe, work } = start();
  probe.says('ada@firm.example', { kind: 'busy', host: null, retryAfterMs: 60_000 });
  const waiting = item('ada@firm.example', 0, createdAt);
  const outcomes = await work.run([waiting], JOB, open);
  expect(outcomes.get(waiting._id.toHexString())).toEqual({ ...expected, at: clock.in(300_000) });
});

it('counts an attempt for an address whose server is busy, even for a role address', async () => {
  const { probe, work } = start();
  probe.says('info@firm.example', { kind: 'busy', host: 'mx.firm.example' });
  const busy = item('info@firm.example');
  const outcomes = await work.run([busy], JOB, open);
  expect(outcomes.get(busy._id.toHexString())).toMatchObject({ kind: 'later', reason: 'server_busy' });
});

it('decides that an address without an answer is unknown and free', () => {
  const now = new Date();
  expect(start().work.onExpired(item('a@firm.example'), now)).toMatchObject({ result: 'unknown', isDecisive: false });
});
