import { Types } from 'mongoose';
import { hasMention, removeAddress } from './subject';

const ADA = 'ada+x@acme.test';
const leadId = new Types.ObjectId();

describe('an address in a text', () => {
  it.each([
    [`<${ADA}>`, true],
    [`mailto:${ADA}?subject=x`, true],
    ['ADA+X@ACME.TEST.', true],
    [`x${ADA}`, false],
    [`x-${ADA}`, false],
    [`${ADA}.au`, false],
    [`${ADA}er`, false],
    ['ada@acme.test', false],
    ['adaax@acmeetest', false],
  ])('%s: %s', (text, isMentioned) => {
    expect(hasMention(text, ADA)).toBe(isMentioned);
  });

  it('is removed at any depth, and values other than texts stay unchanged', () => {
    const at = new Date();
    const value = { list: [{ text: `to ${ADA}`, at, leadId, nothing: null, count: 3 }] };
    expect(removeAddress(value, ADA)).toEqual({
      list: [{ text: 'to [erased]', at, leadId, nothing: null, count: 3 }],
    });
    const other = { list: [{ at, leadId }] };
    expect(removeAddress(other, ADA)).toBe(other);
  });
});
