import { ADDRESSES } from './testing/addresses-cases';
import { APPENDIX } from './testing/appendix-cases';
import { LIMITS } from './testing/limits-cases';
import { MACROS } from './testing/macros-cases';
import { MECHANISMS } from './testing/mechanisms-cases';
import { MODIFIERS } from './testing/modifiers-cases';
import { PROCESSING } from './testing/processing-cases';
import { getExpectation, classifyMessage } from './testing/spf-case';

describe('check_host() of RFC 7208', () => {
  describe.each([...PROCESSING, ...MECHANISMS, ...ADDRESSES, ...MODIFIERS, ...MACROS, ...LIMITS, ...APPENDIX])(
    'section $section',
    ({ cases }) => {
      it.each(cases)('$promise', async (given) => {
        expect(await classifyMessage(given)).toMatchObject(getExpectation(given));
      });
    },
  );
});
