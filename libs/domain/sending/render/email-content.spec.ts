import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { composeMessage } from '@adapters/mail';
import { compileTemplate, type TemplateKind } from '@domain/campaigns';
import { TrackingTokenService, TrackingUrls } from '@domain/tracking';
import { KeyRing, TokenSignerService } from '@platform/secrets';
import { type EmailFacts, renderEmail } from './email-content';
import { getNames } from './missing-value-message';

const SEND = '65f0c0ffee65f0c0ffee0001';
const tokens = new TrackingTokenService(
  new TokenSignerService(KeyRing.parse(`k1:${Buffer.alloc(32, 1).toString('base64')}`)),
);
const urls = new TrackingUrls(tokens, 'https://mail.sender.test');
const UNSUBSCRIBE = urls.unsubscribe(SEND);

function template(source: string, kind: TemplateKind) {
  const compiled = compileTemplate(source, kind);
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  return compiled.template;
}

type Changes = Partial<Omit<EmailFacts, 'step' | 'settings' | 'mailbox' | 'lead'>> & {
  subject?: string;
  body?: string;
  lead?: Partial<EmailFacts['lead']>;
  mailbox?: Partial<EmailFacts['mailbox']>;
  settings?: Partial<EmailFacts['settings']>;
};

function facts({
  subject = 'Hello {{firstName}}',
  body = '<p>Hi {{firstName}}</p>',
  ...changes
}: Changes = {}): EmailFacts {
  return {
    thread: { messageIds: [], subject: null },
    ids: { sendId: SEND, messageId: `<${SEND}@sender.test>` },
    urls,
    date: new Date('2026-11-21T09:30:00Z'),
    seed: 'campaign lead step',
    ...changes,
    step: { subject: template(subject, 'subject'), body: template(body, 'html') },
    lead: { email: 'bob@example.com', firstName: 'Bob', lastName: 'Fox', variables: {}, ...changes.lead },
    mailbox: { email: 'ada@sender.test', displayName: 'Ada Lovelace', signature: '', ...changes.mailbox },
    settings: { trackOpens: false, trackClicks: false, includeUnsubscribeLink: false, ...changes.settings },
  };
}

function email(changes: Changes = {}) {
  const rendered = renderEmail(facts(changes));
  if (!rendered.ok) throw new Error(`Missing: ${getNames(rendered.missing).join(', ')}`);
  return rendered;
}

const html = (changes: Changes) => email(changes).input.html;
const text = (changes: Changes) => email(changes).input.text;

describe('renderEmail', () => {
  it('renders an email that parses back to its content', async () => {
    const { input, links } = email({
      body: '<p>Hi {{firstName}}, see <a href="https://x.test/?a=1&amp;b=2">this</a></p>',
      mailbox: { signature: '<b>Ada</b>' },
      settings: { trackOpens: true, trackClicks: true, includeUnsubscribeLink: true },
    });
    const message = await composeMessage(input);
    const parsed = await PostalMime.parse(message.raw);
    expect(message.envelope).toEqual({ from: 'ada@sender.test', to: 'bob@example.com' });
    expect(parsed).toMatchObject({
      from: { name: 'Ada Lovelace', address: 'ada@sender.test' },
      to: [{ name: 'Bob Fox', address: 'bob@example.com' }],
      subject: 'Hello Bob',
      messageId: `<${SEND}@sender.test>`,
      date: '2026-11-21T09:30:00.000Z',
    });
    expect(parsed.text?.trim()).toBe(
      `Hi Bob, see this [https://x.test/?a=1&b=2]\n\nAda\n\nUnsubscribe [${UNSUBSCRIBE}]`,
    );
    expect(parsed.html?.trim().replaceAll('\r\n', '\n')).toBe(input.html?.trim());
    expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(`<${UNSUBSCRIBE}>`);
    expect(parsed.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click');
    expect(links).toEqual(['https://x.test/?a=1&b=2']);
  });

  it('returns the same result for the same facts', () => {
    const changes = { body: '{{ spin: "a", "b", "c" }} {{signature}}', settings: { trackOpens: true } };
    expect(renderEmail(facts(changes))).toEqual(renderEmail(facts(changes)));
  });

  it.each<[string, string]>([
    ['firstName', 'Bob'],
    ['email', 'bob@example.com'],
    ['companyName', 'R&amp;D'],
    ['custom', 'value'],
    ['senderName', 'Ada Lovelace'],
    ['senderFirstName', 'Ada'],
    ['senderEmail', 'ada@sender.test'],
    ['unsubscribeLink', UNSUBSCRIBE],
    ['signature', '<i>A</i>'],
  ])('resolves %s', (name, value) => {
    const changes = {
      body: `<p>{{${name}}}</p>`,
      lead: {
        companyName: 'R&D',
        // A lead's variable of that name does not replace the sender's value.
        variables: { custom: 'value', firstName: 'x', senderName: 'x', signature: '<script>', unsubscribeLink: 'x' },
      },
      mailbox: { signature: '<i>A</i>' },
    };
    expect(html(changes)).toContain(`<p>${value}</p>`);
  });

  it('uses a variable of the lead if the field of that name is empty', () => {
    expect(html({ body: '<p>{{city}}</p>', lead: { city: '', variables: { city: 'Rome' } } })).toBe('<p>Rome</p>');
  });

  it('reads only own properties of a lead’s variables', () => {
    const variables = Object.create({ inherited: 'x' }) as Record<string, string>;
    expect(renderEmail(facts({ body: '{{inherited}}', lead: { variables } }))).toMatchObject({ ok: false });
  });

  it('renders nothing if values are missing, and names those of subject and body', () => {
    const variables = { blank: ' ', number: 1 as unknown as string, object: {} as unknown as string };
    const body = '{{number}} {{blank}} {{object}} {{city}} {{inherited}} <a href="{{website}}">{{senderName}}</a>';
    const lead = { variables, website: 'javascript:alert(1)' };
    const rendered = renderEmail(facts({ subject: '{{jobTitle}} {{city}}', body, lead, mailbox: { displayName: '' } }));
    expect(rendered.ok ? [] : getNames(rendered.missing)).toEqual([
      'jobTitle',
      'city',
      'blank',
      'object',
      'inherited',
      'website',
      'senderName',
    ]);
  });

  describe('signature', () => {
    const signature = 'Ada\nSender & Co';

    it('follows the body, inside it if the body is a whole document', () => {
      expect(html({ body: '<p>Hi</p>', mailbox: { signature: '<b>A</b>' } })).toBe(
        '<p>Hi</p>\n<div class="signature" style="margin:16px 0 0"><b>A</b></div>\n',
      );
      expect(html({ body: '<body><p>Hi</p></body>', mailbox: { signature: '<b>A</b>' } })).toMatch(
        /<b>A<\/b><\/div>\n<\/body>$/,
      );
      expect(html({ body: '<p>Hi</p>', mailbox: { signature: ' \n' } })).toBe('<p>Hi</p>');
    });

    it('is on its own line in the text part', () => {
      expect(text({ body: 'Bye', mailbox: { signature } })).toBe('Bye\n\nAda\nSender & Co');
    });

    it('appears once, at its placeholder', () => {
      expect(html({ body: '<p>{{signature}}</p>PS', mailbox: { signature } })).toBe('<p>Ada<br>\nSender & Co</p>PS');
      expect(html({ body: '<p>{{signature}}</p>PS' })).toBe('<p></p>PS');
    });

    it('is plain text in a subject', () => {
      expect(email({ subject: 'From {{signature}}', mailbox: { signature } }).subject).toBe('From Ada Sender & Co');
    });
  });

  describe('unsubscribe link', () => {
    const settings = { includeUnsubscribeLink: true, trackClicks: true };

    it('is offered as a link and in headers if the campaign wants it', () => {
      const { input, links } = email({ settings });
      expect(input.html).toContain(`<a href="${UNSUBSCRIBE}" style="color:#777777">Unsubscribe</a>`);
      expect(input.headers).toEqual({
        'List-Unsubscribe': `<${UNSUBSCRIBE}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      });
      expect(links).toEqual([]);
    });

    it('stays where the author has put it, and is not tracked there', () => {
      const { input, links } = email({ body: '<a href="{{unsubscribeLink}}">stop</a>', settings });
      expect(input.html).toBe(`<a href="${UNSUBSCRIBE}">stop</a>`);
      expect(input.text).toBe(`stop [${UNSUBSCRIBE}]`);
      expect(input.headers).toBeDefined();
      expect(links).toEqual([]);
    });

    it('is absent otherwise', () => {
      const { input } = email();
      expect(input.headers).toBeUndefined();
      expect(input.html).toBe('<p>Hi Bob</p>');
    });
  });

  describe('tracking', () => {
    const body = '<body><a href="https://x.test/{{firstName}}">x</a> <a href="mailto:a@x.test">m</a></body>';

    it('redirects clicks and stores the targets of links; the text part keeps the links', () => {
      const { input, links } = email({ body, settings: { trackClicks: true } });
      expect(links).toEqual(['https://x.test/Bob']);
      expect(input.html).toContain(`<a href="${urls.click(SEND, 0)}">x</a> <a href="mailto:a@x.test">m</a>`);
      expect(input.html).toContain(`<a href="${urls.honeypot(SEND)}" style="display:none"`);
      expect(input.html).not.toContain('<img');
      expect(input.text).toBe('x [https://x.test/Bob] m [a@x.test]');
    });

    it('adds no honeypot to an email without links', () => {
      expect(html({ settings: { trackClicks: true } })).toBe('<p>Hi Bob</p>');
    });

    it('puts the pixel last in the body', () => {
      const rendered = html({ body, settings: { trackOpens: true } });
      expect(rendered).toContain('<a href="https://x.test/Bob">');
      expect(rendered).toMatch(/<img src="https:\/\/mail\.sender\.test\/t\/o\/[\w-]+\.gif" [^>]*><\/body>$/);
    });
  });

  describe('threads', () => {
    const thread = { messageIds: ['<1@sender.test>', '<2@sender.test>'], subject: 'Hello Bob' };

    it('replies in the thread if the step has no subject', async () => {
      const rendered = email({ subject: '', thread });
      expect(rendered).toMatchObject({ subject: 'Re: Hello Bob', startsThread: false });
      const parsed = await PostalMime.parse((await composeMessage(rendered.input)).raw);
      expect(parsed).toMatchObject({
        subject: 'Re: Hello Bob',
        inReplyTo: '<2@sender.test>',
        references: '<1@sender.test> <2@sender.test>',
      });
    });

    it('begins another thread if the step has a subject', () => {
      const rendered = email({ thread });
      expect(rendered).toMatchObject({ subject: 'Hello Bob', startsThread: true });
      expect(rendered.input.inReplyTo).toBeUndefined();
      expect(rendered.input.references).toBeUndefined();
    });
  });

  it('shows line breaks of a body that was pasted as text', () => {
    expect(html({ body: 'Hi {{firstName}},\n\nhow are you?' })).toBe('Hi Bob,<br>\n<br>\nhow are you?');
    expect(text({ body: 'Hi {{firstName}},\n\nhow are you?' })).toBe('Hi Bob,\n\nhow are you?');
  });

  it('renders an email that can be composed for any name of a lead', async () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\r\n', '\0', '=?utf-8?Q?a?=', '{{', '"', ',', '<', '\u2028', '\ud800'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(nasty, nasty, fc.nat(600), async (firstName, lastName, repeated) => {
        const lead = { firstName: `${firstName}a`, lastName, variables: { long: 'a'.repeat(repeated) } };
        const { input } = email({ subject: '{{firstName}} {{lastName | default: "-"}}{{long | default: ""}}', lead });
        const parsed = await PostalMime.parse((await composeMessage(input)).raw);
        expect(parsed.to).toEqual([expect.objectContaining({ address: 'bob@example.com' })]);
        expect(parsed.bcc ?? []).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
