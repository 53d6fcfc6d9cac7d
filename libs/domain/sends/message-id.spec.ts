import { toMessageId } from './message-id';

describe('toMessageId', () => {
  it('combines the send’s id with the sending domain, in A-labels', () => {
    expect(toMessageId('65f0c0ffee65f0c0ffee0001', 'ada@sender.test')).toBe('<65f0c0ffee65f0c0ffee0001@sender.test>');
    expect(toMessageId('65f0c0ffee65f0c0ffee0001', 'ada@Büro.test')).toBe(
      '<65f0c0ffee65f0c0ffee0001@xn--bro-hoa.test>',
    );
  });
});
