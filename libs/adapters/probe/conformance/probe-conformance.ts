import { type MailboxProbePort, type ProbeAnswer, type ProbeKind } from '../port/mailbox-probe.port';

/** A probe and the mail server of example.com. */
export interface ProbeTestEnvironment {
  readonly probe: MailboxProbePort;
  /** Hosts of the server. */
  readonly hosts: readonly string[];
  has(address: string, state: 'exists' | 'full' | 'disabled' | 'greylisted' | 'blocked'): void;
  takesEverything(): void;
  /** Sends no reply for this address until the caller aborts. */
  staysSilent(address: string): void;
  /** A sufficiently distant deadline. */
  deadline(): Date;
  /** Addresses that the server received, without the control address. */
  asked(): readonly string[];
  close(): Promise<void>;
}

const KINDS: readonly (readonly [Parameters<ProbeTestEnvironment['has']>[1], ProbeKind])[] = [
  ['exists', 'accepted'],
  ['full', 'full'],
  ['disabled', 'disabled'],
  ['greylisted', 'greylisted'],
  ['blocked', 'refused_us'],
];

/** The conformance suite of all probes; each driver calls it once. */
export function describeMailboxProbe(name: string, open: () => Promise<ProbeTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: ProbeTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    const ask = (address: string, askCatchAll = false, signal?: AbortSignal): Promise<ProbeAnswer> =>
      environment.probe.ask({
        address,
        hosts: environment.hosts,
        deadline: environment.deadline(),
        askCatchAll,
        ...(signal && { signal }),
      });

    it('is enabled', () => {
      expect(environment.probe.isOn).toBe(true);
    });

    it.each(KINDS)('returns for a mailbox that is %s: %s, with the server’s reply', async (state, kind) => {
      environment.has('ada@example.com', state);
      const answer = await ask('ada@example.com');
      expect(answer).toMatchObject({ kind, catchAll: null, host: environment.hosts[0] });
      expect(answer.code).toMatch(/^[245]\d\d$/);
      expect(answer.enhancedCode).toMatch(/^[245]\.\d\.\d{1,3}$/);
      expect(answer.response).not.toBe('');
    });

    it('returns rejected for a missing mailbox', async () => {
      expect(await ask('nobody@example.com')).toMatchObject({ kind: 'rejected', code: '550', retryAfterMs: null });
    });

    it('returns when a postponed recipient may be retried', async () => {
      environment.has('ada@example.com', 'greylisted');
      expect((await ask('ada@example.com')).retryAfterMs).toBeGreaterThan(0);
    });

    it('detects a catch-all domain only on request', async () => {
      environment.has('ada@example.com', 'exists');
      expect(await ask('ada@example.com', true)).toMatchObject({ kind: 'accepted', catchAll: false });
      expect(await ask('ada@example.com', false)).toMatchObject({ kind: 'accepted', catchAll: null });
    });

    it('detects a catch-all domain', async () => {
      environment.takesEverything();
      expect(await ask('whoever@example.com', true)).toMatchObject({ kind: 'accepted', catchAll: true });
    });

    it('returns nothing about the domain when the mailbox is refused', async () => {
      expect(await ask('nobody@example.com', true)).toMatchObject({ kind: 'rejected', catchAll: null });
    });

    it('sends the address unchanged', async () => {
      for (const address of ['Ada.Lovelace+x@example.com', '"ada l"@example.com', 'grün@example.com']) {
        await ask(address);
      }
      expect(environment.asked()).toEqual(['Ada.Lovelace+x@example.com', '"ada l"@example.com', 'grün@example.com']);
    });

    it('reports a domain without hosts as unreachable', async () => {
      const question = { address: 'ada@example.com', hosts: [], deadline: environment.deadline(), askCatchAll: false };
      expect(await environment.probe.ask(question)).toMatchObject({ kind: 'unreachable', host: null, code: null });
    });

    it.each(['a@b\r\nRCPT TO:<c@d>', 'a b@example.com', '<a@example.com>', 'example.com', 'a@exa mple.com', ''])(
      'refuses the invalid address %j',
      async (address) => {
        await expect(ask(address)).rejects.toThrow(TypeError);
        expect(environment.asked()).toEqual([]);
      },
    );

    it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
      environment.staysSilent('ada@example.com');
      const patience = new AbortController();
      const asking = ask('ada@example.com', false, patience.signal);
      const reason = new Error('enough');
      patience.abort(reason);
      await expect(asking).rejects.toBe(reason);
      await expect(ask('ada@example.com', false, patience.signal)).rejects.toBe(reason);
    });
  });
}
