import { type Answer } from '../isolation/caller';
import { Foreign } from '../isolation/foreign';
import { SCRIPT } from './hostile';
import { faultsOfRoute, strangeNames, type Untold } from './answer-evaluation';

const THEIRS = '6b02b13a1fa8250db328c36b';
const MINE = '6b02b13a1fa8250db328c36c';
const ID = '0123456789abcdef01234567';
const content = {
  workspaces: [
    { _id: THEIRS, name: 'Their own workspace' },
    { _id: MINE, name: 'Workspace' },
  ],
  leads: [
    { _id: ID, workspaceId: THEIRS, email: 'ada@theirs.example', state: 'undelivered' },
    { _id: '0123456789abcdef01234568', workspaceId: MINE, email: 'bob@mine.example', state: 'undelivered' },
  ],
};
const untold: Untold = { foreign: new Foreign(content, { workspaceId: THEIRS }), inside: ['127.0.0.1:27017'] };
const formB = (message: string) => ({ success: false, error: { code: 'NOT_FOUND', message } });

function answer(body: unknown, more: Partial<Answer> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'request-1' };
  return { status: 404, headers, text, body, ...more };
}

describe('the evaluation of responses', () => {
  it.each<[name: string, given: Answer, fault: RegExp]>([
    ['an internal error', answer(formB('x'), { status: 500 }), /^5xx/],
    ['a stack', answer(formB('Error\n    at f (/srv/dist/main.js:1:2)').error.message), /^internals/],
    ['the error text of a library', answer(formB('E11000 duplicate key')), /^internals/],
    ['the address of the database', answer(formB('no answer of 127.0.0.1:27017')), /^places/],
    ['an id of another workspace', answer(formB(`${ID} not found`)), /^data of another/],
    ['a text of another workspace', answer(formB('ada@theirs.example is known')), /^data of another/],
    ['a refusal in no documented form', answer({ message: 'Not Found', statusCode: 404 }), /^no form/],
    ['a form with an additional field', answer({ ...formB('x'), stack: '' }), /^no form/],
    ['a status that differs from its form', answer({ error: 'Gone', message: 'x', code: 410 }), /^no form/],
    ['a refusal without a message', answer(formB(' ')), /^no form/],
    [
      'an invalid request id',
      answer(formB('x'), { headers: { 'content-type': 'application/json', 'x-request-id': 'a b' } }),
      /^request id/,
    ],
    [
      'a script on a page',
      answer(SCRIPT, { status: 200, headers: { 'content-type': 'text/html', 'x-request-id': 'request-1' } }),
      /^a script/,
    ],
  ])('finds %s', (_name, given, fault) => {
    expect([...faultsOfRoute(given, untold, '')]).toContainEqual(expect.stringMatching(fault));
  });

  it.each<[name: string, given: Answer, said: string]>([
    ['a refusal in form B', answer(formB('Lead not found')), ''],
    ['a refusal in form A', answer({ error: 'Not Found', message: 'x', code: 404 }), ''],
    ['content of the request', answer(formB(`${ID} is no lead`)), `/v1/leads/${ID}`],
    [
      'words that several workspaces share',
      answer({ success: true, data: 'undelivered bob@mine.example' }, { status: 200 }),
      '',
    ],
  ])('accepts %s', (_name, given, said) => {
    expect([...faultsOfRoute(given, untold, said)]).toEqual([]);
  });

  it('finds names that are operators, at any depth', () => {
    const stored = { a: [{ b: { $ne: null } }], constructor: { c: 1 }, d: '$set' };
    expect(strangeNames(stored)).toEqual(['.a.0.b.$ne', '.constructor']);
  });
});
