import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { type TemplateKind } from './template';
import { compileTemplate } from './template-compiler';
import { renderTemplate } from './template-renderer';

function compiled(source: string, kind: TemplateKind) {
  const result = compileTemplate(source, kind);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result.template;
}

function rendered(source: string, values: Record<string, string> = {}, kind: TemplateKind = 'html', seed = 'seed') {
  const result = renderTemplate(compiled(source, kind), (name) => new Map(Object.entries(values)).get(name), seed);
  return result.ok ? result.text : result.missing.map(({ name }) => name);
}

/** The text of the one element, as a browser shows it. */
function shown(html: string): string {
  const element = parseFragment(`<div>${html}</div>`).childNodes[0];
  if (!element || !('childNodes' in element)) throw new Error('There is no element');
  expect(element.childNodes).toHaveLength(1);
  const [text] = element.childNodes;
  return text && 'value' in text ? text.value : '';
}

const texts = fc.string({ unit: 'grapheme' });
/** Contains a letter, because blank values are missing; no control characters, because no part of an email accepts them. */
const values = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('{', '}', '<', '>', '&', '"', "'", '&lt;', '{{x}}'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .map((text) => `${text}a`);

describe('renderTemplate', () => {
  it.each<[string, string, Record<string, string>]>([
    ['Hi {{firstName}}!', 'Hi Ada!', { firstName: 'Ada' }],
    ['Hi {{ firstName | default: "there" }}!', 'Hi Ada!', { firstName: 'Ada' }],
    ['Hi {{firstName | default: "there"}}!', 'Hi there!', {}],
    ['Hi {{firstName | default: "there"}}!', 'Hi there!', { firstName: ' \n' }],
    ['Hi{{firstName | default: ""}}!', 'Hi!', {}],
    ['{{firstName}}{{firstName}}', 'AdaAda', { firstName: 'Ada' }],
    ['{{x | default: "a \\"b\\" \\\\ \\c & d"}}', 'a "b" \\ \\c & d', {}],
  ])('renders %j as %j', (source, expected, given) => {
    expect(rendered(source, given, 'text')).toBe(expected);
  });

  it('renders nothing when values without default are missing, and names them all', () => {
    expect(rendered('{{a}} {{b}} {{a}} {{c | default: "c"}} {{d}} {{e}}', { b: 'b', d: ' \u00a0' })).toEqual([
      'a',
      'd',
      'e',
    ]);
  });

  it('never expands placeholders in a value', () => {
    expect(rendered('{{a}}', { a: '{{b}} {{ spin: "x" }}', b: 'B' }, 'text')).toBe('{{b}} {{ spin: "x" }}');
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(rendered('[{{a}}|{{b}}]', { a, b }, 'text')).toBe(`[${a}|${b}]`);
      }),
    );
  });

  it('returns text without braces unchanged', () => {
    const plain = texts.filter((text) => !text.includes('{{'));
    fc.assert(fc.property(plain, (text) => rendered(text, {}, 'text') === text));
    fc.assert(fc.property(plain, (text) => rendered(`<p>${text}</p>`) === `<p>${text}</p>`));
  });

  it('escapes values and defaults in HTML, so that they appear as text', () => {
    expect(rendered('<p title="{{a}}">{{b | default: "R&amp;D &lt;3"}}</p>', { a: `"><script>'` })).toBe(
      '<p title="&quot;&gt;&lt;script&gt;&#39;">R&amp;D &lt;3</p>',
    );
    fc.assert(
      fc.property(values, (value) => {
        expect(shown(rendered('{{a}}', { a: value }) as string)).toBe(value);
        const [element] = parseFragment(rendered(`<a title="{{a}}" rel='{{a}}'>`, { a: value }) as string).childNodes;
        expect(element).toMatchObject({
          attrs: [
            { name: 'title', value },
            { name: 'rel', value },
          ],
        });
      }),
    );
  });

  describe('where a link begins', () => {
    const link = (x: string) => rendered('<a href="{{x}}">{{y | default: "y"}}</a>', { x });

    it.each([
      'https://x.test/?a=1&b="2"',
      'HTTP://x.test',
      'https://bücher.example/ä b',
      'mailto:ada@example.com?subject=Hi',
      'tel:+49 30 1',
      ' https://x.test ',
    ])('accepts %j', (x) => {
      const [element] = parseFragment(link(x) as string).childNodes;
      expect(element).toMatchObject({ attrs: [{ name: 'href', value: x.trim() }] });
    });

    it.each([
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'java\nscript:alert(1)',
      '\x01javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'https://x.test/\njavascript:alert(1)',
      'https://x.test/\ta',
      'https://x.test/\u2028a',
      'https://',
      'https://[broken/',
      'https:x.test',
      'x.test',
      '//x.test',
      '/path',
      '#top',
      '?a',
    ])('treats %j as missing', (x) => {
      expect(link(x)).toEqual(['x']);
      expect(rendered('{{x}}', { x })).not.toEqual(['x']);
      expect(rendered('<a href="{{x | default: "https://y.test"}}">', { x })).toBe('<a href="https://y.test">');
    });

    it('accepts every one-line value in a link that has begun', () => {
      const inside = (x: string) => rendered('<a href="https://x.test/{{x}}">', { x });
      expect(inside('javascript:"a" & b')).toBe('<a href="https://x.test/javascript:&quot;a&quot; &amp; b">');
      expect(inside('a\nb')).toEqual(['x']);
      expect(rendered('<a href="{{a}}{{b}}">', { a: 'https://x.test/', b: 'c' })).toBe('<a href="https://x.test/c">');
    });

    it('never creates another kind of link, for any value', () => {
      const pieces = fc.constantFrom(
        'javascript:',
        'data:',
        'https://',
        'x.test',
        '\n',
        '\t',
        '\0',
        ' ',
        '"',
        '&#58;',
        '/',
        '\u00ad',
      );
      fc.assert(
        fc.property(fc.array(pieces, { maxLength: 6 }), (all) => {
          const html = link(all.join(''));
          if (typeof html !== 'string') return;
          const [element] = parseFragment(html).childNodes;
          const [href] = (element as { attrs: { value: string }[] }).attrs;
          expect(new URL(href!.value, 'https://base.test').protocol).toMatch(/^(https?|mailto|tel):$/);
          expect(href!.value).toMatch(/^(https?|mailto|tel):/);
        }),
      );
    });
  });

  it('shows missing values by name in a preview', () => {
    const template = compiled('<a href="{{x}}">{{y}} {{z | default: "z"}}</a>{{signature}}', 'html');
    const shown = renderTemplate(template, (name) => (name === 'x' ? 'javascript:1' : undefined), 'seed', {
      standIns: true,
    });
    expect(shown).toEqual({ ok: true, text: '<a href="[x]">[y] z</a>' });
  });

  it('replaces line ends and control characters in values', () => {
    const value = 'a\r\nb\rc\nd\0e\x1bf\tg\x85h';
    expect(rendered('<p>{{a}}', { a: value })).toBe('<p>a\nb\nc\nd e f\tg h');
    expect(rendered('{{a}}', { a: value }, 'text')).toBe('a\nb\nc\nd e f\tg h');
    expect(rendered('{{a}}', { a: `${value}\u2028i` }, 'subject')).toBe('a b c d e f g h i');
    expect(rendered('Hi\t{{a | default: "x\ty"}}', {}, 'subject')).toBe('Hi x y');
  });

  it('does not escape in a subject', () => {
    expect(rendered('{{a}} <{{b | default: "&"}}>', { a: 'R&D "x"' }, 'subject')).toBe('R&D "x" <&>');
  });

  it('inserts the signature as HTML and accepts an empty one', () => {
    const values = { signature: '<b>Ada</b>', name: '<b>' };
    expect(rendered('<p>{{name}}</p>{{signature}}', values)).toBe('<p>&lt;b&gt;</p><b>Ada</b>');
    expect(rendered('Bye {{signature}}.')).toBe('Bye .');
    expect(rendered('Bye {{signature | default: "<3"}}.')).toBe('Bye &lt;3.');
  });

  it('converts the line breaks of a pasted text, and keeps those of HTML', () => {
    expect(rendered('Hi {{a}},\r\n\n1 < 2', { a: 'A\nB' })).toBe('Hi A\nB,<br>\n<br>\n1 < 2');
    expect(rendered('<p>Hi\n</p>\n')).toBe('<p>Hi\n</p>\n');
    expect(rendered('a\nb', {}, 'text')).toBe('a\nb');
  });

  it('chooses spin options by seed and position, and reaches every option', () => {
    const source = '{{ spin: "a", "b", "c&" }}{{ spin: "a", "b", "c&" }}';
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 900; seed += 1) {
      const text = rendered(source, {}, 'html', `lead-${seed}`) as string;
      expect(rendered(source, {}, 'html', `lead-${seed}`)).toBe(text);
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([
      'aa',
      'ab',
      'ac&amp;',
      'ba',
      'bb',
      'bc&amp;',
      'c&amp;a',
      'c&amp;b',
      'c&amp;c&amp;',
    ]);
    for (const count of seen.values()) expect(count).toBeGreaterThan(60);
  });
});
