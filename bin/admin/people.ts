import { deleteAddressItems } from '../../functions/kernel/accounts/table/address-items.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import { parseEmail } from '../../functions/kernel/fields/fields.ts';
import type { AdminCommand } from './cli.ts';

const ERASED = 'No application of this address is left, and no link in an earlier email to it works any more.';

export function addPeopleCommands(admin: AdminCommand): void {
  admin
    .command('people')
    .description('people who get emails with links')
    .programCommand('erase', 'delete the application of an address, and the codes in links that it got by email')
    .requiredOption('--email <address>', 'address of the person', (text) => parseEmail('email', text))
    .examples(
      [
        'people erase --program ID --email jane@example.com',
        'people erase --program ID --email jane@example.com --json',
      ],
      `It deletes the application and its answers, also if the person is an advocate now, and the codes of all
links that the address got. It deletes no advocate (\`advocate erase\`), member (\`member remove\`) or
customer (\`referral erase\`). The limits of emails stay until they expire: they are times and counts under
a hash of the address.`,
    )
    .onProgram(({ email }: { readonly email: string }) => async ({ program, table }) => {
      await deleteAddressItems(table, program.id, addressHash(email));
      return { json: { program: program.id, erased: true }, text: () => ERASED };
    });
}
