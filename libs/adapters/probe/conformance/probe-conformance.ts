import { type MailboxProbePort, type ProbeAnswer, type ProbeKind } from '../port/mailbox-probe.port';

/** A probe, and the mail server of example.com on its other side. */
export interface ProbeTestEnvironment {
  readonly probe: MailboxProbePort;
  /** Hosts of the server. */
  readonly hosts: readonly string[];
  has(address: string, state: 'exists' | 'full' | 'disabled' | 'greylisted' | 'blocked'): void;
  takesEverything(): void;
  /** Says nothing about this address until the caller gives up. */
  staysSilent(address: string): void;
  /** A moment that is far enough away. */
  deadline(): Date;
  /** Addresses that came to the other side, the one that cannot exist left out. */
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

/** What every probe promises: called once for each of them. */
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

    it('it is on', () => {
      expect(environment.probe.isOn).toBe(true);
    });

    it.each(KINDS)('says of a mailbox that is %s: %s, with the server’s words', async (state, kind) => {
      environment.has('ada@example.com', state);
      const answer = await ask('ada@example.com');
      expect(answer).toMatchObject({ kind, catchAll: null, host: environment.hosts[0] });
      expect(answer.code).toMatch(/^[245]\d\d$/);
      expect(answer.enhancedCode).toMatch(/^[245]\.\d\.\d{1,3}$/);
      expect(answer.response).not.toBe('');
    });

    it('says of a mailbox that does not exist that it is rejected', async () => {
      expect(await ask('nobody@example.com')).toMatchObject({ kind: 'rejected', code: '550', retryAfterMs: null });
    });

    it('says when a recipient that was put off may be asked again', async () => {
      environment.has('ada@example.com', 'greylisted');
      expect((await ask('ada@example.com')).retryAfterMs).toBeGreaterThan(0);
    });

    it('tells a domain that takes everything from one that does not, only when asked to', async () => {
      environment.has('ada@example.com', 'exists');
      expect(await ask('ada@example.com', true)).toMatchObject({ kind: 'accepted', catchAll: false });
      expect(await ask('ada@example.com', false)).toMatchObject({ kind: 'accepted', catchAll: null });
    });

    it('tells that a domain takes everything', async () => {
      environment.takesEverything();
      expect(await ask('whoever@example.com', true)).toMatchObject({ kind: 'accepted', catchAll: true });
    });

    it('says nothing about the domain where the mailbox is refused', async () => {
      expect(await ask('nobody@example.com', true)).toMatchObject({ kind: 'rejected', catchAll: null });
    });

    it('asks about the address as it is', async () => {
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
      'refuses %j, which is no address',
      async (address) => {
        await expect(ask(address)).rejects.toThrow(TypeError);
        expect(environment.asked()).toEqual([]);
      },
    );

    it('ends with the reason of the signal, at once when that was given before', async () => {
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
