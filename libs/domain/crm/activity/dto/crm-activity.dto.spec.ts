import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { CrmActivityQuery } from './crm-activity.dto';

describe('the filter of CRM activities', () => {
  it.each([
    ['sending', 'sending'],
    ['handing', 'sending'],
    ['pending', 'pending'],
  ])('reads the state %s as %s', (given, state) => {
    const query = plainToInstance(CrmActivityQuery, { state: given });
    expect(validateSync(query)).toEqual([]);
    expect(query.state).toBe(state);
  });

  it('refuses an unknown state', () => {
    expect(validateSync(plainToInstance(CrmActivityQuery, { state: 'given' }))).toMatchObject([{ property: 'state' }]);
  });
});
