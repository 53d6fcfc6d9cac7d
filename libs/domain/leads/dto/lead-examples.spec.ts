import 'reflect-metadata';
import { checkedInput } from '@domain/access';
import { LEAD_EXAMPLES } from './lead-examples';
import { AddLeadsRequest, LeadActionRequest, UpdateLeadRequest } from './lead-requests.dto';

it('the example bodies are valid requests', () => {
  const { add, update, action } = LEAD_EXAMPLES;
  expect(checkedInput(AddLeadsRequest, add)).toEqual(add);
  expect(checkedInput(UpdateLeadRequest, update)).toEqual(update);
  expect(checkedInput(LeadActionRequest, action)).toEqual(action);
});
