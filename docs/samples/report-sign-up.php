<?php
function reportSignUp($customer, $grId, int $timeoutMs = 2000): void
{
    // A visitor can turn any cookie into an array: gr_id[]=x.
    if (!is_string($grId) || $grId === '') return;
    try {
        $errorCode = '';
        $request = curl_init(getenv('BASE_URL') . '/v2/tracking/conversion');
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('PROGRAM_TOKEN'),
                'Content-Type: application/json',
                'Idempotency-Key: sign-up-' . $customer->id,
            ],
            CURLOPT_POSTFIELDS => json_encode(['email' => $customer->email, 'uid' => (string) $customer->id, 'gr_id' => $grId]),
            CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$errorCode) {
                if (stripos($line, 'x-error-code:') === 0) $errorCode = trim(substr($line, 13));
                return strlen($line);
            },
        ]);
        $body = curl_exec($request);
        if ($body === false) throw new RuntimeException(curl_error($request));
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($errorCode === 'invalid_affiliate_slug' || in_array($status, [201, 409], true)) return;
        throw new RuntimeException("$status " . substr($body, 0, 200));
    } catch (Throwable $error) {
        error_log("The referral of customer {$customer->id} was not reported: {$error->getMessage()}");
    }
}
