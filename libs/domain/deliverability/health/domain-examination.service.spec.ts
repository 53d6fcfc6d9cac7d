import { OutboundHttpClient } from '@platform/outbound';
import { ZoneDnsDriver } from '../../../adapters/dns/testing';
import { wellKept, withSpf } from '../testing/zones';
import { DomainExaminationService } from './domain-examination.service';
import { getProblems, getStatuses } from './health-report';

const HEALTH = { domain: 'd.test', dkimSelector: null, learnedSelectors: [] };
const ALL_UNKNOWN = { mx: 'unknown', spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' };

describe('an examination of a domain', () => {
  const http = new OutboundHttpClient({ allowPrivate: false });
  const request = jest.spyOn(http, 'request');
  let dns: ZoneDnsDriver;
  let examiner: DomainExaminationService;

  beforeEach(() => {
    dns = new ZoneDnsDriver(wellKept('d.test'));
    examiner = new DomainExaminationService(dns, http);
  });
  afterEach(() => jest.restoreAllMocks());

  it('finds no problem in a correct domain', async () => {
    const report = await examiner.examine(HEALTH, { fresh: false });
    expect(getStatuses(report)).toEqual({ mx: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass' });
    expect(Object.values(getProblems(report)).flat()).toEqual([]);
    expect(report).toMatchObject({ healthScore: 100, mtaSts: { status: 'absent' }, tlsRpt: { status: 'absent' } });
    expect(request).not.toHaveBeenCalled();
  });

  it('bypasses the DNS cache only when a caller waits', async () => {
    await examiner.examine(HEALTH, { fresh: false });
    expect(dns.queries.map(({ fresh }) => fresh)).not.toContain(true);
    dns.queries.length = 0;
    await examiner.examine(HEALTH, { fresh: true });
    expect(dns.queries.map(({ fresh }) => fresh)).not.toContain(false);
  });

  it('prefers the configured selector to learned ones, and those to common ones', async () => {
    const learnedSelectors = [{ selector: 'google', seenAt: new Date() }];
    const learned = await examiner.examine({ ...HEALTH, learnedSelectors }, { fresh: false });
    expect(learned.dkim).toMatchObject({ selector: 'google', source: 'learned', status: 'pass' });
    const given = await examiner.examine({ ...HEALTH, learnedSelectors, dkimSelector: 's9' }, { fresh: false });
    expect(given.dkim).toMatchObject({ selector: 's9', source: 'configured', status: 'fail' });
  });

  it('gives up a check that takes longer than 30 seconds: only that one stays unknown', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')));
    expect(getStatuses(await examiner.examine(HEALTH, { fresh: false }))).toEqual(ALL_UNKNOWN);
    expect(timeout).toHaveBeenCalledWith(30_000);
    const never = new AbortController().signal;
    timeout.mockImplementationOnce(() => AbortSignal.abort(new Error('late'))).mockImplementation(() => never);
    const report = await examiner.examine(HEALTH, { fresh: false });
    expect(getStatuses(report)).toEqual({ mx: 'unknown', spf: 'pass', dkim: 'pass', dmarc: 'pass' });
    expect(report.healthScore).toBe(100);
  });

  it('ends without a result when the worker stops', async () => {
    const stop = new AbortController();
    dns.delays = () => {
      stop.abort(new Error('stopped'));
      return Promise.resolve();
    };
    await expect(examiner.examine(HEALTH, { fresh: false, signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('does not treat an internal error as an answer', async () => {
    dns.delays = () => Promise.reject(new Error('a fault'));
    await expect(examiner.examine(HEALTH, { fresh: false })).rejects.toThrow('a fault');
  });

  it('has no score when nothing is known', async () => {
    dns.zone.change({ '*': 'servfail', 'd.test': 'servfail', '_dmarc.d.test': 'servfail', test: 'servfail' });
    dns.zone.change({ 'google._domainkey.d.test': 'servfail', '*.d.test': 'servfail' });
    const report = await examiner.examine(HEALTH, { fresh: false });
    expect(getStatuses(report)).toEqual(ALL_UNKNOWN);
    expect(report.healthScore).toBeNull();
  });

  it.each([
    ['a record of 60 000 characters', `v=spf1 ${'ip4:192.0.2.1 '.repeat(4_200)}-all`],
    ['thousands of terms that cost', `v=spf1 ${'include:x.test '.repeat(3_000)}-all`],
    ['thousands of mistakes', `v=spf1 ${'wrong! '.repeat(5_000)}-all`],
    ['NUL and other bytes', 'v=spf1 \0\u00ff\u0007 -all'],
  ])('keeps a bounded part of %s, in printable characters', async (_what, record) => {
    dns.zone.change(withSpf('d.test', record));
    const { spf } = await examiner.examine(HEALTH, { fresh: false });
    const text = JSON.stringify(spf);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toMatch(/\\u0000/);
    expect(spf.record).toMatch(/^[\x20-\x7e]{0,4096}…?$/);
    expect(spf.problems.length).toBeLessThanOrEqual(50);
    expect(spf.lookups.terms.length).toBeLessThanOrEqual(50);
  });
});
