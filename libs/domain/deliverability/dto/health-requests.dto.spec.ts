import 'reflect-metadata';
import { checkedInput } from '@domain/access';
import { CheckMailboxHealthRequest, HEALTH_EXAMPLES } from './health-requests.dto';

it('shows a body that is taken as it is', () => {
  expect(checkedInput(CheckMailboxHealthRequest, HEALTH_EXAMPLES.check)).toEqual(HEALTH_EXAMPLES.check);
});
