import { type Request, type Response } from 'express';
import { answerQuestion } from './tracking-responses';

/** The page for a reader of English. */
function pageOf(sender: string): string {
  let page = '';
  const request = { get: () => 'en' } as unknown as Request;
  const response = {
    setHeader: () => response,
    status: () => response,
    type: () => response,
    send: (body: string) => (page = body),
  };
  answerQuestion(request, response as unknown as Response, { email: 'ada@example.com', sender });
  return page;
}

describe('the confirmation page for an unsubscribe', () => {
  it.each([
    ['acme.example', 'acme.example'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['Tom/Jerry (reports)', 'Tom/Jerry (reports)'],
    ['What? (reports)', 'What? (reports)'],
    ['<b>Acme</b> (reports)', '&lt;b&gt;Acme&lt;/b&gt; (reports)'],
  ])('names %s as %s', (sender, shown) => {
    expect(pageOf(sender)).toContain(`<strong>${shown}</strong>`);
  });
});
