import { deleteLinkCodes } from '../../functions/kernel/accounts/table/link-codes.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import { parseEmail } from '../../functions/kernel/fields/fields.ts';
import type { AdminCommand } from './cli.ts';

const ERASED = 'No link in an earlier email to this address works any more.';

export function addPeopleCommands(admin: AdminCommand): void {
  admin
    .command('people')
    .description('people who get emails with links')
    .programCommand('erase', 'delete the codes in links that an address got by email')
    .requiredOption('--email <address>', 'address of the person', (text) => parseEmail('email', text))
    .examples(
      [
        'people erase --program ID --email jane@example.com',
        'people erase --program ID --email jane@example.com --json',
      ],
      `It deletes the codes of links to sign in, and of links that undo a change of a payout account. It
deletes no advocate (\`advocate erase\`), member (\`member remove\`) or customer (\`referral erase\`). The
limits of links stay until they expire: they are times under a hash of the address.`,
    )
    .onProgram(({ email }: { readonly email: string }) => async ({ program, table }) => {
      await deleteLinkCodes(table, program.id, addressHash(email));
      return { json: { program: program.id, erased: true }, text: () => ERASED };
    });
}
