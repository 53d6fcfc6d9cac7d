import { OutboundAddressService } from '@platform/outbound';
import { FakeClock } from '@testing';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { FakeProbeDriver } from '../../../adapters/probe/testing';
import { MailDomainsService } from './domain/mail-domains.service';
import { EmailVerificationService, TIMEOUT_MS } from './email-verification.service';

/** `verify` charges no credits. */
const NO_CREDITS = {} as never;

const ZONE: ZoneTable = {
  'example.com': {
    MX: [
      { exchange: 'mx1.example.com', priority: 1 },
      { exchange: 'mx2.example.com', priority: 2 },
    ],
  },
  '*.example.com': { A: ['8.8.4.4'] },
  'gmial.com': { MX: [{ exchange: '', priority: 0 }] },
  'mailinator.com': { MX: [{ exchange: 'mx1.example.com', priority: 1 }] },
  'gmail.com': { MX: [{ exchange: 'mx1.example.com', priority: 1 }] },
  'dead.example': 'timeout',
};

function open() {
  const dns = new ZoneDnsDriver(ZONE);
  const clock = new FakeClock();
  clock.freeze(new Date('2026-11-22T10:00:00Z'));
  const probe = new FakeProbeDriver();
  const domains = new MailDomainsService(dns, new OutboundAddressService({ allowPrivate: false }), clock);
  return { dns, clock, probe, verifier: new EmailVerificationService(domains, probe, NO_CREDITS, clock) };
}

it('returns all findings of an existing mailbox', async () => {
  const { clock, probe, verifier } = open();
  probe.says('ada@example.com', { kind: 'accepted' });
  expect(await verifier.verify('Ada@Example.com')).toEqual({
    email: 'Ada@Example.com',
    address: 'ada@example.com',
    result: 'valid',
    reasons: ['accepted'],
    isDisposable: false,
    isRole: false,
    isFree: false,
    mxHost: 'mx1.example.com',
    suggestion: null,
    retryAt: null,
    isUnasked: false,
    checkedAt: clock.now(),
  });
  expect(probe.requests).toMatchObject([
    {
      address: 'ada@example.com',
      hosts: ['mx1.example.com', 'mx2.example.com'],
      askCatchAll: true,
      deadline: clock.in(TIMEOUT_MS),
    },
  ]);
});

it('queries neither DNS nor a server for an invalid address', async () => {
  const { dns, probe, verifier } = open();
  for (const email of [
    '',
    'ada',
    'ada (x)@example.com',
    'ada@1.2.3.4',
    'ada@[8.8.4.4]',
    'ada@[010.0.0.1]',
    'ada@[IPv6:::1]',
  ]) {
    expect((await verifier.verify(email)).mxHost).toBeNull();
  }
  expect([dns.queries, probe.requests]).toEqual([[], []]);
});

it.each([
  ['ada@[8.8.4.4]', 'risky'],
  ['ada@[010.0.0.1]', 'invalid'],
  ['ada@[IPv6:::1]', 'invalid'],
  ['ada@[IPv6:::ffff:127.0.0.1]', 'invalid'],
  ['ada@[IPv6:2a00:1450:4001:c0f::1a]', 'risky'],
])('reads the address in %s as %s', async (email, result) => {
  expect((await open().verifier.verify(email)).result).toBe(result);
});

it('suggests the probable address, without an effect on the result', async () => {
  const { verifier } = open();
  expect(await verifier.verify('ada@gmial.com')).toMatchObject({ suggestion: 'ada@gmail.com', reasons: ['null_mx'] });
  expect(await verifier.verify(' ada@example.com')).toMatchObject({ result: 'invalid', suggestion: 'ada@example.com' });
  expect(await verifier.verify('ada@gmail.com')).toMatchObject({ isFree: true, suggestion: null });
});

it('probes no server of disposable mailboxes', async () => {
  const { probe, verifier } = open();
  expect(await verifier.verify('ada@mailinator.com')).toMatchObject({ result: 'risky', isDisposable: true });
  expect(probe.requests).toEqual([]);
});

it.each([
  ['the operator', { isOn: false, asks: true }],
  ['the caller', { isOn: true, asks: false }],
])('does not know whether a mailbox exists when %s forbids a probe', async (_who, { isOn, asks }) => {
  const { probe, verifier } = open();
  probe.isOn = isOn;
  const found = await verifier.verify('info@example.com', { probe: asks });
  expect(found).toMatchObject({
    result: 'unknown',
    reasons: ['mailbox_not_asked', 'role'],
    isRole: true,
    retryAt: null,
  });
  expect(probe.requests).toEqual([]);
});

it('returns the time of the retry after greylisting: not before the server permits, and later each time', async () => {
  const { clock, probe, verifier } = open();
  probe.says('ada@example.com', { kind: 'greylisted', retryAfterMs: 400_000 });
  expect(await verifier.verify('ada@example.com')).toMatchObject({
    result: 'unknown',
    reasons: ['greylisted'],
    retryAt: clock.in(400_000),
  });
  expect(await verifier.verify('ada@example.com', { attempts: 1 })).toMatchObject({ retryAt: clock.in(600_000) });
});

it('returns the time of the retry when DNS gave no answer', async () => {
  const { clock, verifier } = open();
  expect(await verifier.verify('ada@dead.example')).toMatchObject({
    reasons: ['dns_no_answer'],
    retryAt: clock.in(300_000),
  });
});

it('has no result of a server after the deadline', async () => {
  const { clock, probe, verifier } = open();
  probe.says('ada@example.com', 'silence');
  const found = await verifier.verify('ada@example.com', { deadline: clock.in(20) });
  expect(found).toMatchObject({
    result: 'unknown',
    reasons: ['out_of_time'],
    mxHost: 'mx1.example.com',
    retryAt: clock.in(300_000),
    isUnasked: false,
  });
});

it('performs no check after a past deadline', async () => {
  const { clock, dns, verifier } = open();
  dns.delays = () => new Promise(() => undefined);
  expect(await verifier.verify('ada@example.com', { deadline: clock.in(-1) })).toMatchObject({
    reasons: ['out_of_time'],
    mxHost: null,
    isUnasked: true,
  });
});

it('ends with the reason of the signal', async () => {
  const { probe, verifier } = open();
  probe.says('ada@example.com', 'silence');
  const patience = new AbortController();
  const reason = new Error('enough');
  const verifying = verifier.verify('ada@example.com', { signal: patience.signal });
  patience.abort(reason);
  await expect(verifying).rejects.toBe(reason);
  await expect(verifier.verify('ada@example.com', { signal: patience.signal })).rejects.toBe(reason);
});

it('does not make a caller wait for hundreds of addresses of slow servers', async () => {
  const { clock, probe, verifier } = open();
  probe.otherwise = 'silence';
  probe.says('ada@example.com', { kind: 'accepted' });
  const stop = new AbortController();
  const options = { signal: stop.signal, deadline: clock.in(60_000) };
  const slow = Array.from({ length: 400 }, (_, at) => verifier.verify(`p${at}@example.com`, options));
  const quick = await Promise.race([verifier.verify('ada@example.com', options), ...slow]);
  expect(quick).toMatchObject({ email: 'ada@example.com', result: 'valid' });
  stop.abort(new Error('enough'));
  expect((await Promise.allSettled(slow)).every(({ status }) => status === 'rejected')).toBe(true);
});
