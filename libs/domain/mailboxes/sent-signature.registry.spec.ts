import { SentSignatureRegistry } from './sent-signature.registry';

const WORKSPACE = { workspaceId: '0123456789abcdef01234567' };

describe('the signatures of an email that a mailbox has sent', () => {
  let seen: [string, string, string][];
  let signatures: SentSignatureRegistry;

  beforeEach(() => {
    seen = [];
    signatures = new SentSignatureRegistry();
    signatures.register(({ workspaceId }, domain, selector) => {
      seen.push([workspaceId, domain, selector]);
      return Promise.resolve();
    });
  });

  const selectorsOf = async (...fields: string[]) => {
    await signatures.record(WORKSPACE, 'Ada@Example.org', fields);
    return seen.map(([, domain, selector]) => `${selector} ${domain}`);
  };

  it('name the selector of its domain', async () => {
    expect(await selectorsOf('v=1; a=rsa-sha256; d=example.org; s=s1; h=from; bh=x; b=y')).toEqual(['s1 example.org']);
    expect(seen[0]?.[0]).toBe(WORKSPACE.workspaceId);
  });

  it('are read folded, in any order and case', async () => {
    expect(await selectorsOf('b=AB\r\n\tCD;\r\n\ts = mail.2026 ;\r\n d=EXAMPLE.org')).toEqual([
      'mail.2026 example.org',
    ]);
  });

  it.each([
    ['another domain', 'd=relay.example; s=s1'],
    ['a parent domain or a subdomain', 'd=mail.example.org; s=s1'],
    ['no domain', 's=s1'],
    ['the domain without a selector', 'd=example.org; s=; b=x'],
    ['nothing at all', ''],
  ])('that name %s are ignored', async (_what, field) => {
    expect(await selectorsOf(field)).toEqual([]);
  });

  it('report each selector once, also if two keys have signed', async () => {
    const both = await selectorsOf('d=example.org; s=rsa', 'd=example.org; s=ed', 'd=example.org; s=rsa');
    expect(both).toEqual(['rsa example.org', 'ed example.org']);
  });

  it('are read up to a limit, whatever the email contains', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `d=example.org; s=s${n}`);
    expect(await selectorsOf(`${'x'.repeat(1_000_000)}; d=example.org; s=late`, ...many)).toHaveLength(9);
  });
});
