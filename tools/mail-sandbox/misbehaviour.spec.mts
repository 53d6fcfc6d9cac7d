import { Attempts, nameIn, RECIPIENT_FAULTS, recipientFault, USER_FAULTS, userFault } from './misbehaviour.mts';

describe('names of misbehaviours', () => {
  it.each([
    ['drop-after-dot.ann@leads.test', 'drop-after-dot'],
    ['Greylist+7@leads.test', 'greylist'],
    ['rcpt-550@leads.test', 'rcpt-550'],
    ['"a@b".x@leads.test', '"a@b"'],
    ['nobody', 'nobody'],
    ['@leads.test', ''],
  ])('in %s is %s', (address, name) => {
    expect(nameIn(address)).toBe(name);
  });

  it('do not match parts of ordinary names', () => {
    for (const address of ['ann@x.test', 'slow.joe@x.test', 'constructor@x.test', 'toString.a@x.test', 'drop@x.test']) {
      expect(recipientFault(address)).toBeUndefined();
      expect(userFault(address)).toBeUndefined();
    }
  });

  it('of users take effect at login or MAIL, of recipients later', () => {
    for (const fault of Object.values(USER_FAULTS)) expect(['auth', 'mail']).toContain(fault.at);
    for (const fault of Object.values(RECIPIENT_FAULTS)) expect(['auth', 'mail']).not.toContain(fault.at);
  });

  it('contain delays in milliseconds, at most a minute', () => {
    expect(recipientFault('slow-250.x@a.test')).toEqual({ at: 'after-dot', kind: 'slow', ms: 250 });
    expect(recipientFault('slow-999999@a.test')).toMatchObject({ ms: 60_000 });
    expect(userFault('slow-5@a.test')).toMatchObject({ at: 'mail', ms: 5 });
  });
});

describe('greylisting', () => {
  it('counts each pair of sender and recipient separately', () => {
    const attempts = new Attempts();
    const fault = RECIPIENT_FAULTS['greylist-twice']!;
    const strikes = (sender: string): boolean => attempts.strikes(fault, sender, 'greylist-twice@a.test');
    expect(['s1@x', 's1@x', 'S1@X', 's2@x'].map(strikes)).toEqual([true, true, false, true]);
  });

  it('keeps permanent faults permanent', () => {
    const attempts = new Attempts();
    const strike = (): boolean => attempts.strikes(RECIPIENT_FAULTS['rcpt-450']!, 's@x', 'rcpt-450@a.test');
    expect([strike(), strike(), strike()]).toEqual([true, true, true]);
  });
});
