import { parseSelectors } from './dkim-signers';

const selectorsOf = (...fields: string[]) => [...parseSelectors(fields, 'example.org')];

describe('the signatures of an email that a mailbox has sent', () => {
  it('name the selector of its domain', () => {
    expect(selectorsOf('v=1; a=rsa-sha256; d=example.org; s=s1; h=from; bh=x; b=y')).toEqual(['s1']);
  });

  it('are read folded, in any order and case', () => {
    expect(selectorsOf('b=AB\r\n\tCD;\r\n\ts = mail.2026 ;\r\n d=EXAMPLE.org')).toEqual(['mail.2026']);
  });

  it.each([
    ['another domain', 'd=relay.example; s=s1'],
    ['a parent domain or a subdomain', 'd=mail.example.org; s=s1'],
    ['no domain', 's=s1'],
    ['the domain without a selector', 'd=example.org; s=; b=x'],
    ['nothing at all', ''],
  ])('that name %s are ignored', (_what, field) => {
    expect(selectorsOf(field)).toEqual([]);
  });

  it('report each selector once, also if two keys have signed', () => {
    const both = selectorsOf('d=example.org; s=rsa', 'd=example.org; s=ed', 'd=example.org; s=rsa');
    expect(both).toEqual(['rsa', 'ed']);
  });

  it('are read up to a limit, whatever the email contains', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `d=example.org; s=s${n}`);
    expect(selectorsOf(`${'x'.repeat(1_000_000)}; d=example.org; s=late`, ...many)).toHaveLength(9);
  });
});
