import { compileTemplate } from './template-compiler';
import { type TemplateKind } from './template';

function errorsOf(source: string, kind: TemplateKind = 'html') {
  const result = compileTemplate(source, kind);
  return result.ok ? [] : result.errors.map(({ message, line, column }) => `${line}:${column} ${message}`);
}

function namesIn(source: string, kind: TemplateKind = 'html') {
  const result = compileTemplate(source, kind);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  const { variables, needs } = result.template;
  return { variables, needs: needs.map(({ name, place }) => `${name} ${place}`) };
}

const LETTERS = 'names are letters, digits and _, with a . only between them';
const NOT_UNDERSTOOD = 'a name has no spaces, and a default is written {{name | default: "text"}}';

describe('compileTemplate', () => {
  it('lists each variable once, with the required ones', () => {
    const source = '{{firstName}} {{ city | default: "town" }} {{city|default:"x"}} {{firstName | default: "you"}}';
    expect(namesIn(source)).toEqual({ variables: ['firstName', 'city'], needs: ['firstName text'] });
    expect(namesIn('{{spin}} {{ spin: "a" }}')).toEqual({ variables: ['spin'], needs: ['spin text'] });
  });

  it.each<[string, string[]]>([
    ['<a href="{{x}}">{{x}}</a>', ['x link', 'x text']],
    ["<A CLASS='y' HREF = '\n {{x}}'>", ['x link']],
    ['<a href="https://x.test/{{x}}?{{y}}">', ['x in-link', 'y in-link']],
    ['<a href="{{x}}{{y}}">{{z}}', ['x link', 'y in-link', 'z text']],
    ['<a href="{{x | default: ""}}{{y}}">', ['y link']],
    ['<a href="{{x | default: "https://x.test/"}}{{y}}">', ['y in-link']],
    ['<a href="{{ spin: "https://x.test/", "https://y.test/" }}{{x}}">', ['x in-link']],
    ['<a href="{{ spin: "https://x.test/", "" }}{{x}}">', ['x link']],
    ['<img src="{{x}}" alt="{{y}}"><form action="{{z}}">', ['x link', 'y text', 'z link']],
    ['<a data-href="{{x}}" title="href={{y}}">', ['x text', 'y text']],
    ['<a title="x" href="{{x}}" rel="{{y}}">', ['x link', 'y text']],
    ['href="{{x}}"', ['x text']],
    ['<!-- <a href="{{x}}"> -->', ['x text']],
  ])('finds where in %j a value becomes a link', (source, needs) => {
    expect(namesIn(source).needs).toEqual(needs);
  });

  it.each([
    'no braces at all',
    '',
    '{ one } }} { {x}} &#123;&#123;x&#125;&#125;',
    '{{straße.名_1}}',
    `{{${'a'.repeat(64)}}}`,
    '{{ constructor2 }}{{_}}{{0}}',
    '{{ city | default: "" }}',
    '{{city | default: "a \\"b\\" \\\\ c:\\d | , : \' end"}}',
    '{{ city | default: “town” }}',
    '{{spin:"a"}}{{ spin : "a" , "" }}',
    '{{\u200bcity\u00a0\n| default:\t"x"}}',
  ])('accepts %j', (source) => {
    expect(errorsOf(source)).toEqual([]);
  });

  it.each<[string, string]>([
    ['{{', '1:1 These braces are not closed with }}'],
    ['a {{firstName', '1:3 These braces are not closed with }}'],
    ['{{firstName} there', '1:1 These braces are not closed with }}'],
    ['{{firstName}, hello {{city}}', '1:1 These braces are not closed with }}'],
    ['{{firstName} }}', '1:3 The braces must be closed with two of them: }}'],
    ['{{}}', '1:3 There is nothing between the braces; write {{firstName}}'],
    ['{{ \n }}', '1:3 There is nothing between the braces; write {{firstName}}'],
    ['{{first name}}', `1:9 "name" is not understood here; ${NOT_UNDERSTOOD}`],
    ['{{first-name}}', `1:3 "first-name" cannot be a name: ${LETTERS}`],
    ['{{{name}}}', `1:3 "{name" cannot be a name: ${LETTERS}`],
    ['{{.}}', `1:3 "." cannot be a name: ${LETTERS}`],
    ['{{ .name }}', `1:4 ".name" cannot be a name: ${LETTERS}`],
    ['{{ name. | default: "x" }}', `1:4 "name." cannot be a name: ${LETTERS}`],
    ['{{a..b}}', `1:3 "a..b" cannot be a name: ${LETTERS}`],
    ['{{ constructor }}', '1:4 "constructor" cannot be a name: it is reserved'],
    ['{{ __proto__ | default: "x" }}', '1:4 "__proto__" cannot be a name: it is reserved'],
    ['{{prototype}}', '1:3 "prototype" cannot be a name: it is reserved'],
    [`{{${'a'.repeat(65)}}}`, `1:3 "${'a'.repeat(40)}…" cannot be a name: it is longer than 64 characters`],
    ['{{ | default: "x" }}', '1:4 There is no name before "| default: "x""'],
    ['{{ city | upper }}', '1:11 Unknown filter "upper"; there is only default, as in {{name | default: "text"}}'],
    ['{{ city | }}', '1:11 There is no filter after |; there is only default, as in {{name | default: "text"}}'],
    ['{{ city | default }}', '1:11 default needs a text, as in {{name | default: "text"}}'],
    ['{{ city | default: }}', '1:20 A text in double quotes is expected here'],
    ['{{ city | default: town }}', '1:20 A text in double quotes is expected here'],
    ["{{ city | default: 'town' }}", '1:20 A text in double quotes is expected here'],
    ['{{ city | default: "a" | default: "b" }}', '1:26 There are two defaults; one is enough'],
    [
      '{{ city | default: "a" | upper }}',
      '1:26 Unknown filter "upper"; there is only default, as in {{name | default: "text"}}',
    ],
    ['{{ city | default: "a" b }}', `1:24 "b" is not understood here; ${NOT_UNDERSTOOD}`],
    ['{{ city | default: "town }}', '1:20 The text that begins here has no closing quote before the braces end'],
    ['{{ city | default: "town\\" }}', '1:20 The text that begins here has no closing quote before the braces end'],
    ['{{ city | default: "a }} b" }}', '1:20 The text that begins here has no closing quote before the braces end'],
    ['{{ spin: }}', '1:4 spin has no options; write {{ spin: "Hi", "Hello" }}'],
    ['{{ spin: "a" "b" }}', '1:14 ""b"" is not understood here; options are separated by commas'],
    ['{{ spin: "a", }}', '1:15 A text in double quotes is expected here'],
    ['{{ spin "a" }}', `1:9 ""a"" is not understood here; ${NOT_UNDERSTOOD}`],
    ['{{ pick: "a" }}', `1:8 ": "a"" is not understood here; ${NOT_UNDERSTOOD}`],
  ])('refuses %j', (source, error) => {
    expect(errorsOf(source)).toEqual([error]);
    expect(errorsOf(source, 'text')).toEqual([error]);
  });

  it('names every error with its line and column, for all kinds of line ends', () => {
    const source = 'Hi {{first name}},\r\n\r\n  {{ok}} {{}}\n{{a | upper}} {{b\r{{ spin: }}';
    expect(errorsOf(source, 'text').map((error) => error.slice(0, 18))).toEqual([
      '1:12 "name" is not',
      '3:12 There is noth',
      '4:7 Unknown filter',
      '4:15 These braces ',
      '5:4 spin has no op',
    ]);
  });

  it('accepts quotes and spaces as HTML editors write them', () => {
    expect(namesIn('<p>{{&nbsp;firstName&nbsp;| default: &quot;caf&eacute;&quot;&#32;}}</p>')).toEqual({
      variables: ['firstName'],
      needs: [],
    });
    expect(errorsOf('<p>{{first&nbsp;Name}}</p>')).toEqual([`1:17 "Name" is not understood here; ${NOT_UNDERSTOOD}`]);
    expect(errorsOf('{{&nbsp;x | default: &quot;&amp;&quot;&nbsp;| upper}}')[0]).toMatch(
      /^1:47 Unknown filter "upper"/,
    );
    expect(errorsOf('{{&bogus;x}}')).toEqual([`1:3 "&bogus;x" cannot be a name: ${LETTERS}`]);
    // In plain text, character references stay text.
    expect(errorsOf('{{&nbsp;x}}', 'subject')).toHaveLength(1);
  });

  it('explains tags between braces', () => {
    const message = 'There is an HTML tag between the braces; remove the formatting inside of them';
    expect(errorsOf('<p>\n{{<b>firstName</b>}}')).toEqual([`2:3 ${message}`]);
    expect(errorsOf('<p>{{first</p><p>Name}}')).toEqual([`1:11 ${message}`]);
    expect(errorsOf('{{x | default: "<br>"}}')).toEqual([`1:17 ${message}`]);
    expect(errorsOf('{{x | default: "&lt;br&gt; 1 < 2"}}')).toEqual([]);
  });

  it('requires quotes around a placeholder inside a tag, where escaping does not stop new attributes', () => {
    const message = 'Inside a tag a placeholder stands in quotes, as in href="{{website}}"';
    expect(errorsOf('<a href={{website}}>x</a>')).toEqual([`1:9 ${message}`]);
    expect(errorsOf('<{{website}}>')).toEqual([`1:2 ${message}`]);
    expect(errorsOf('<p><a title="{{x}}" {{y}}>')).toEqual([`1:21 ${message}`]);
    expect(errorsOf('<a href="{{x}}" title=\'{{y}}\'>{{z}}</a> 1 < {{x}} > <!-- <a --> {{x}}')).toEqual([]);
  });

  it('keeps a subject on one line', () => {
    for (const lineBreak of ['\n', '\r\n', '\r', '\u2028', '\x85']) {
      expect(errorsOf(`Hello${lineBreak}Bcc: x@y.test`, 'subject')).toEqual(['1:6 A subject is one line']);
    }
    expect(errorsOf('{{a\n}} {{}}', 'subject')).toEqual([
      '1:4 A subject is one line',
      expect.stringMatching(/^2:6 There is nothing/),
    ]);
    expect(errorsOf('a\nb', 'text')).toEqual([]);
  });

  it('stops after 50 errors, and handles hostile sources in linear time', () => {
    expect(errorsOf('{{}}'.repeat(1_000))).toHaveLength(50);
    const half = 500_000;
    for (const source of [
      '{{'.repeat(half),
      '}}'.repeat(half),
      '{{a'.repeat(half),
      '{{a|default:"'.repeat(half / 5),
      `{{a|default:"${'\\"'.repeat(half)}`,
      `{{${'a'.repeat(half)}}}`,
      `{{${' '.repeat(half)}`,
      `{{ spin: ${'"a",'.repeat(half / 2)}}}`,
      `{{x${'&amp;'.repeat(half / 5)}}}`,
      '<'.repeat(half),
      '<!--'.repeat(half / 2),
      `${'<a '.repeat(half)}{{x}}`,
      `<a ${'href='.repeat(half)}"{{x}}`,
      `<a href="${'{{x}}'.repeat(half / 5)}`,
      `<a ${'href="{{x}}" '.repeat(half / 10)}>`,
    ]) {
      // Nonlinear work exceeds the time limit of the test.
      expect(errorsOf(source).length).toBeLessThanOrEqual(50);
    }
  });
});
