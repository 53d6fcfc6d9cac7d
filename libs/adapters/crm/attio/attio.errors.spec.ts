import { type CrmReason } from '../port/crm.errors';
import { type CrmWrite } from '../port/crm-session';
import { ATTIO } from './attio-dialect';
import { type AttioFault, parseAttioFault, toAttioRefusal } from './attio.errors';

const MADE: CrmWrite = { key: 'k', externalId: null, email: 'a@example.com', fields: {} };
const CHANGED: CrmWrite = { ...MADE, externalId: 'r1' };
const NO_SLUG = 'Cannot find attribute with slug/ID "gone".';

describe('Refused requests of Attio', () => {
  it.each<readonly [number, string, string, readonly string[] | undefined, CrmReason, string | null]>([
    [401, 'unauthorized', 'said', undefined, 'unauthorised', null],
    [403, 'unauthorized', 'said', undefined, 'forbidden', null],
    [400, 'constructor', 'said', undefined, 'rejected', null],
    [402, 'billing_error', 'said', undefined, 'forbidden', null],
    [429, 'rate_limit_exceeded', 'said', undefined, 'rate_limited', null],
    [400, 'filter_error', 'said', undefined, 'rejected', null],
    [400, 'unknown_filter_attribute_slug', 'said', ['$and', '0', '$or', '1', 'gone'], 'unknown_field', 'gone'],
    [400, 'unknown_filter_attribute_slug', 'Unknown attribute slug: gone.', undefined, 'unknown_field', 'gone'],
    [404, 'not_found', 'said', undefined, 'rejected', null],
    [500, 'internal_error', 'said', undefined, 'server', null],
  ])('%i %s (%s, %j) is %s', (status, code, message, path, reason, field) => {
    const json = { status_code: status, type: 'x', code, message, ...(path && { path }) };
    expect(ATTIO.getFault({ status, headers: {}, json })).toEqual({ reason, sentence: message, field });
  });

  it('is classified by the status when the body is not an error of Attio', () => {
    for (const json of [undefined, null, 'x', {}, { code: 7 }])
      expect(ATTIO.getFault({ status: 502, headers: {}, json })).toBeNull();
  });

  it('reports no limit before it is reached', () => {
    expect(ATTIO.getCooldownMs({ status: 200, headers: { 'retry-after': '7' }, json: {} })).toBeNull();
  });
});

describe('A refused person of Attio', () => {
  const fault = (status: number, code: string, message = 'said', path: readonly string[] = []): AttioFault => ({
    status,
    code,
    message,
    path,
  });

  it.each([
    [MADE, fault(400, 'value_not_found', NO_SLUG), 'unknown_field', 'gone'],
    [MADE, fault(400, 'value_not_found', 'Cannot find select option with title "x".'), 'invalid', null],
    [MADE, fault(400, 'validation_type', 'said', ['data', 'values', 'score']), 'invalid', 'score'],
    [MADE, fault(400, 'validation_type', 'Invalid value for attribute with slug "score".'), 'invalid', 'score'],
    [MADE, fault(400, 'uniqueness_conflict'), 'duplicate', null],
    [CHANGED, fault(404, 'not_found'), 'gone', null],
    [CHANGED, fault(409, 'conflict'), 'invalid', null],
  ] as const)('%j with %j is %s', (write, said, reason, field) => {
    expect(toAttioRefusal(write, said)).toEqual({
      key: 'k',
      kind: 'refused',
      reason,
      message: said.message,
      field,
      externalId: null,
    });
  });

  it.each([
    [MADE, fault(404, 'not_found')],
    [CHANGED, fault(403, 'unauthorized')],
    [CHANGED, fault(429, 'rate_limit_exceeded')],
  ])('is no fault of the person: %j with %j', (write, said) => {
    expect(toAttioRefusal(write, said)).toBeNull();
  });

  it('is read with the path as text', () => {
    expect(parseAttioFault(400, { code: 'x', message: 7, path: ['a', 0] })).toEqual(fault(400, 'x', '', ['a', '0']));
  });
});
