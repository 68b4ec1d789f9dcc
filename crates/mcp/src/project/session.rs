//! The wires' view of a real session: each tool is the session's method of the same name.

use ::project::answer::{Analysis, PackAnswer, Payload, ProjectEntry};
use ::project::request::{
    AnalyzeRequest, FileRequest, PackRequest, ReadPackRequest, SearchRequest, TreeRequest,
};
use ::project::session::Session;
use fault::{Failure, Outcome, Watch};

use super::ProjectService;

impl ProjectService for Session {
    fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure> {
        Session::list_projects(self)
    }
    fn tree(&self, request: &TreeRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        Session::tree(self, request, watch)
    }
    fn analyze(&self, request: &AnalyzeRequest, watch: &dyn Watch) -> Result<Outcome<Analysis>, Failure> {
        Session::analyze(self, request, watch)
    }
    fn pack(&self, request: &PackRequest, watch: &dyn Watch) -> Result<Outcome<PackAnswer>, Failure> {
        Session::pack(self, request, watch)
    }
    fn read_pack(&self, request: &ReadPackRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        Session::read_pack(self, request, watch)
    }
    fn search(&self, request: &SearchRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        Session::search(self, request, watch)
    }
    fn file(&self, request: &FileRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        Session::file(self, request, watch)
    }
    fn set_page_chars(&self, page_chars: usize) {
        Session::set_page_chars(self, page_chars);
    }
    fn close(&self) {
        Session::close(self);
    }
}
