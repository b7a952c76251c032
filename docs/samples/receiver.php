<?php
$secret = (string) getenv('WEBHOOK_SECRET');
$key = base64_decode(substr($secret, strlen('whsec_')));
if (!str_starts_with($secret, 'whsec_') || $key === '') {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET to the secret of the webhook.');
}

$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');

$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
$isGenuine = array_filter($signatures, fn ($signature) => hash_equals($expected, $signature));
$isRecent = abs(time() - (int) $time) <= 300;

if ($isGenuine && $isRecent) {
    $event = json_decode($body, true);
    error_log("$id {$event['type']}");
    http_response_code(204);
} else {
    http_response_code(400);
}
