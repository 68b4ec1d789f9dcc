//! Blocking streams seen as asynchronous ones: each has a thread of its own that nobody waits for, so that a read that
//! never returns cannot hold up the end of the process. It does not know what the bytes say.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::mpsc as blocking;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{mpsc, oneshot};

const CHUNK_BYTES: usize = 64 * 1024;

/// The reading side.
pub struct ReadPipe {
    chunks: mpsc::Receiver<Vec<u8>>,
    chunk: Vec<u8>,
    at: usize,
}

impl ReadPipe {
    /// Starts the thread that reads `input` to its end; a read error counts as the end.
    ///
    /// # Errors
    /// When the operating system starts no thread.
    pub fn start(mut input: impl Read + Send + 'static) -> io::Result<ReadPipe> {
        let (send, chunks) = mpsc::channel(1);
        std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            let mut buffer = vec![0; CHUNK_BYTES];
            loop {
                match input.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) if send.blocking_send(buffer[..count].to_vec()).is_err() => return,
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        })?;
        Ok(ReadPipe { chunks, chunk: Vec::new(), at: 0 })
    }
}

impl AsyncRead for ReadPipe {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.at == self.chunk.len() {
            match ready!(self.chunks.poll_recv(context)) {
                Some(chunk) => (self.chunk, self.at) = (chunk, 0),
                None => return Poll::Ready(Ok(())),
            }
        }
        let count = buffer.remaining().min(self.chunk.len() - self.at);
        buffer.put_slice(&self.chunk[self.at..self.at + count]);
        self.at += count;
        Poll::Ready(Ok(()))
    }
}

type Order = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// The writing side. What one call hands over is written in one piece.
pub struct WritePipe {
    orders: blocking::Sender<Order>,
    under_way: Option<oneshot::Receiver<io::Result<()>>>,
}

impl WritePipe {
    /// Starts the thread that writes to `output`.
    ///
    /// # Errors
    /// When the operating system starts no thread.
    pub fn start(mut output: impl Write + Send + 'static) -> io::Result<WritePipe> {
        let (orders, waiting) = blocking::channel::<Order>();
        std::thread::Builder::new().name("stdout".to_owned()).spawn(move || {
            for (bytes, told) in waiting {
                let written = output.write_all(&bytes).and_then(|()| output.flush());
                let failed = written.is_err();
                if told.send(written).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(WritePipe { orders, under_way: None })
    }

    fn poll_written(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(under_way) = &mut self.under_way else { return Poll::Ready(Ok(())) };
        let told = ready!(Pin::new(under_way).poll(context));
        self.under_way = None;
        Poll::Ready(told.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into())))
    }
}

impl AsyncWrite for WritePipe {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_written(context))?;
        let (tell, told) = oneshot::channel();
        if self.orders.send((bytes.to_vec(), tell)).is_err() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.under_way = Some(told);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_written(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
